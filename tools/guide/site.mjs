import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { llmsText } from './llms.mjs';
import { renderMarkdown } from './markdown.mjs';
import { pageOf } from './page.mjs';
import { readOperations, readSources, Targets } from './sources.mjs';

/**
 * Everything that is made of the documents, by its file: a path as it is asked for, with `.html` behind that of a page.
 *
 * @param {string} docs the folder of the documents
 * @returns {Map<string, string | Buffer>}
 */
export function renderSite(docs) {
  const sources = readSources(docs).map((source) => ({
    ...source,
    description: firstSentence(source.markdown),
  }));
  const targets = new Targets(sources, readOperations(docs));
  const site = new Map();
  const index = [];
  for (const source of sources) {
    const { html, sections } = renderMarkdown(source, targets);
    site.set(`${source.path}.html`, pageOf(source, html, sources));
    site.set(`${source.path}.md`, markdownOf(source, targets));
    for (const { anchor, heading, text, code } of sections)
      // Relative to /docs/, where the script of the pages is.
      index.push([
        `${source.path.slice('/docs/'.length)}${anchor && `#${anchor}`}`,
        source.title,
        heading,
        text,
        code,
      ]);
  }
  for (const [path, file] of targets.pictures) site.set(path, readFileSync(join(docs, file)));
  site.set('/docs/guide/search.json', JSON.stringify(index));
  for (const path of ['/llms.txt', '/docs/llms.txt']) site.set(path, llmsText(path, sources));
  return site;
}

/** The document with links to what is served; of others only the text stays. Code is left as it is. */
function markdownOf(source, targets) {
  return source.markdown.replace(
    /^```[^]*?^```$|`[^`\n]*`|(!?)\[((?:[^[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)/gm,
    (whole, mark, text, target) => {
      if (target === undefined) return whole;
      const url = targets.resolve(source, target, 'md');
      const inner = text.replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, picture) => {
        return `![${alt}](${targets.resolve(source, picture, 'md')})`;
      });
      return url === undefined ? inner : `${mark}[${inner}](${url})`;
    },
  );
}

/** What a document says first in words, without its marks. */
function firstSentence(markdown) {
  const [, paragraph = ''] =
    /^(?![#|])(?:- )?((?:.+\n)+)/m.exec(markdown.replace(/^```[^]*?^```$/gm, '')) ?? [];
  const text = paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replaceAll('\n', ' ')
    .trim();
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
