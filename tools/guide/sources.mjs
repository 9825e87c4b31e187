import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Files of the documents that the service itself has, by the path that each is served under. */
const SERVED = new Map([
  ['openapi.json', '/openapi.json'],
  ['openapi-webhooks.json', '/openapi-webhooks.json'],
]);

const PICTURES = 'pictures/';

/**
 * What the guide consists of: its pages in the order of its table of contents, then the contract, which they refer to, and
 * the changelog.
 *
 * @param {string} docs the folder of the documents
 * @throws Error for a page of the guide that its table of contents does not list
 */
export function readSources(docs) {
  const contents = readFileSync(join(docs, 'guide/README.md'), 'utf8');
  const listed = [...contents.matchAll(/^\d+\. \[[^\]]+\]\(([\w-]+)\.md\)/gm)].map(([, name]) => name);
  const existing = readdirSync(join(docs, 'guide')).map((file) => file.replace(/\.md$/, ''));
  const missing = existing.filter((name) => name !== 'README' && !listed.includes(name));
  if (missing.length > 0) throw new Error(`docs/guide/README.md does not list ${missing.join(', ')}.`);
  return [
    source(docs, 'guide/README.md', '/docs/guide'),
    ...listed.map((name) => source(docs, `guide/${name}.md`, `/docs/guide/${name}`)),
    source(docs, 'contract.md', '/docs/guide/contract'),
    source(docs, '../CHANGELOG.md', '/docs/guide/changelog'),
  ];
}

/** The operations of the OpenAPI document: their tags, by their ids. */
export function readOperations(docs) {
  const { paths } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8'));
  const all = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(all.map(({ operationId, tags }) => [operationId, tags[0]]));
}

function source(docs, file, path) {
  const markdown = readFileSync(join(docs, file), 'utf8');
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`${file} has no heading.`);
  return { file, path, title, markdown: markdown.replace(/<!--[^]*?-->\n*/g, '') };
}

/** Where the targets of links are served. */
export class Targets {
  /** Pictures that pages show, by the path that each is served under. */
  pictures = new Map();

  /**
   * @param {{file: string, path: string}[]} sources
   * @param {ReadonlyMap<string, string>} operations by their ids, the tags of the operations that the docs page has
   */
  constructor(sources, operations) {
    this.pages = new Map(sources.map(({ file, path }) => [file, path]));
    this.operations = operations;
  }

  /** Where an operation can be tried; `undefined` for what is no id of one. */
  operation({ path }, id) {
    const tag = this.operations.get(id);
    return tag && `${relativeUrl(path, '/docs')}#/${tag}/${id}`;
  }

  /**
   * A link of one document as one of its page: relative, so that it holds below any path.
   *
   * @param {{file: string, path: string}} source
   * @param {string} target as in the document
   * @param {'html' | 'md'} form of the page
   * @returns {string | undefined} `undefined` for what is not served
   */
  resolve({ file, path }, target, form) {
    if (/^(?:https?:|mailto:|#)/.test(target)) return target;
    const [, name, fragment] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
    if (name.startsWith('/')) return relativeUrl(path, target);
    // From the folder of the documents; the changelog stands beside it.
    const linked = posix.join(posix.dirname(file), name).replace(/^\.\.\/docs\//, '');
    const page = this.pages.get(linked);
    if (page !== undefined) return relativeUrl(path, page + (form === 'md' ? '.md' : '')) + (fragment ?? '');
    if (linked.startsWith(PICTURES)) return relativeUrl(path, this.pictureAt(linked));
    const served = SERVED.get(linked);
    return served && relativeUrl(path, served);
  }

  pictureAt(file) {
    const path = `/docs/guide/${posix.basename(file)}`;
    this.pictures.set(path, file);
    return path;
  }
}

/** From one path of the site to another, for any path that a proxy serves the site below. */
export function relativeUrl(from, to) {
  return '../'.repeat(from.split('/').length - 2) + to.slice(1);
}
