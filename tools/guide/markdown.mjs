import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';

/** The names that documents use. */
const LANGUAGES = {
  sh: 'bash',
  ts: 'typescript',
  python: 'python',
  json: 'json',
  html: 'xml',
  css: 'css',
  text: 'plaintext',
  http: 'plaintext',
};

const CODE = /^[a-z]+(?:_[a-z]+)+$/;

/**
 * A document as HTML, with the text of its sections for the search.
 *
 * @param {{file: string, path: string, markdown: string}} source
 * @param {import('./sources.mjs').Targets} targets
 * @returns {{html: string, sections: {anchor: string, heading: string, text: string, code: string}[]}}
 * @throws Error for a language of code that is not known
 */
export function renderMarkdown(source, targets) {
  const markdown = new MarkdownIt({ html: false });
  const tokens = markdown.parse(source.markdown, {});
  const sections = new Sections();
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') sections.begin(token, tokens[i + 1]);
    else if (token.type === 'tr_open')
      sections.row(token, textOf(tokens[i + 2]), textOf(tokens[i + 5]), tokens[i + 8]);
    else if (token.type === 'inline') {
      if (tokens[i - 1]?.type !== 'heading_open') sections.add(textOf(token));
      relink(token, source, targets);
    } else if (token.type === 'fence') sections.addCode(token.content);
  }
  const { rules } = markdown.renderer;
  rules.fence = (all, i) => codeBlock(all[i], source.file);
  rules.table_open = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_close = (all, i) => {
    const id = all[i - 2].attrGet('id');
    const link =
      all[i].tag === 'h1' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    return `${link}</${all[i].tag}>\n`;
  };
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections: sections.all };
}

function codeBlock({ info, content }, file) {
  const name = info.trim();
  const language = LANGUAGES[name];
  if (language === undefined) throw new Error(`${file} has code in "${name}", which is not highlighted.`);
  const { value } = hljs.highlight(content, { language });
  return `<pre tabindex="0"><code class="language-${language}">${value}</code></pre>\n`;
}

/** The text of a paragraph, a heading or a cell. */
export function textOf(token) {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'image' ? '' : content))
    .join('');
}

/** Lets links lead to what is served; of others only the text stays. The id of an operation leads to where it is tried. */
function relink(inline, source, targets) {
  const kept = [];
  const open = [];
  for (const token of inline.children ?? []) {
    if (token.type === 'link_open') {
      const target = targets.resolve(source, token.attrGet('href'), 'html');
      open.push(target);
      if (target === undefined) continue;
      token.attrSet('href', target);
    } else if (token.type === 'link_close') {
      if (open.pop() === undefined) continue;
    } else if (token.type === 'image') {
      token.attrSet('src', targets.resolve(source, token.attrGet('src'), 'html'));
    } else if (token.type === 'code_inline' && open.length === 0) {
      const target = targets.operation(source, token.content);
      if (target !== undefined) {
        const Token = token.constructor;
        const link = new Token('link_open', 'a', 1);
        link.attrSet('href', target);
        kept.push(link, token, new Token('link_close', 'a', -1));
        continue;
      }
    }
    kept.push(token);
  }
  inline.children = kept;
}

/** What the search finds: a heading with what follows it, and each error code. */
class Sections {
  all = [];
  anchors = new Set();

  begin(token, inline) {
    const heading = textOf(inline);
    const slug = slugOf(heading);
    let anchor = slug;
    for (let i = 1; this.anchors.has(anchor); i++) anchor = `${slug}-${i}`;
    this.anchors.add(anchor);
    token.attrSet('id', anchor);
    this.all.push({ anchor: token.tag === 'h1' ? '' : anchor, heading, text: '', code: '' });
  }

  /** A row of a table of errors (status, code, when) can be linked to by its code. */
  row(token, status, code, when) {
    if (!/^[45]\d\d$/.test(status) || !CODE.test(code) || this.anchors.has(code)) return;
    this.anchors.add(code);
    token.attrSet('id', code);
    // Before the section of the table, which goes on after this row.
    this.all.splice(-1, 0, { anchor: code, heading: code, text: `${status}: ${textOf(when)}`, code: '' });
  }

  add(text) {
    const section = this.all.at(-1);
    if (section !== undefined) section.text = `${section.text} ${text}`.trim();
  }

  addCode(text) {
    const section = this.all.at(-1);
    if (section !== undefined) section.code += text;
  }
}

/** As GitHub writes the anchor of a heading: lower case, without punctuation, hyphens for spaces. */
export function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
