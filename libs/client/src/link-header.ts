import { urlOf } from './url-of.js';

/** One link of a Link header field (RFC 8288). */
interface Link {
  /** As the field has it; may be relative. */
  readonly target: string;
  /** In lower case. */
  readonly relations: readonly string[];
  /** What the link is of, unless it is of the response. */
  readonly anchor: string | undefined;
}

interface Links {
  readonly links: readonly Link[];
  /** Whether the field was read to its end: otherwise it is malformed, and more links may have been meant. */
  readonly isComplete: boolean;
}

// Each matches from where the one before has ended, and none of them can match the same text in two ways.
const TARGET = /[\s,]*<([^>]*)>/y;
const PARAMETER = /\s*;(?:\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;<>]+)))?)?/y;
const END = /\s*(?:,|$)/y;
const REST = /[\s,]*$/y;

/** The links of the header fields, several of which are one list. */
function parseLinks(field: string): Links {
  const links: Link[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(field) ?? undefined;
    if (found !== undefined) at = pattern.lastIndex;
    return found;
  };
  while (match(REST) === undefined) {
    const target = match(TARGET)?.[1];
    if (target === undefined) return { links, isComplete: false };
    const parameters = new Map<string, string>();
    for (let found = match(PARAMETER); found !== undefined; found = match(PARAMETER)) {
      const [, name = '', quoted, token = ''] = found;
      // Of a parameter that is repeated the first one counts.
      if (!parameters.has(name.toLowerCase()))
        parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token);
    }
    if (match(END) === undefined) return { links, isComplete: false };
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/);
    links.push({ target: target.trim(), relations, anchor: parameters.get('anchor') });
  }
  return { links, isComplete: true };
}

/**
 * The targets of the links with this relation, as the field has them.
 *
 * @param url of the response: only its own links count, not those that are anchored at another resource
 */
export function linksTo(
  headers: Headers,
  url: string,
  relation: string,
): { readonly targets: readonly string[]; readonly isComplete: boolean } {
  const { links, isComplete } = parseLinks(headers.get('Link') ?? '');
  const own = links.filter(({ relations, anchor }) => relations.includes(relation) && isOf(url, anchor));
  return { targets: own.map(({ target }) => target), isComplete };
}

/** Whether an anchor is the resource itself or a part of it. */
function isOf(url: string, anchor = ''): boolean {
  const withoutFragment = (reference: string) => urlOf(reference, url)?.href.replace(/#.*/, '');
  return withoutFragment(anchor) === withoutFragment(url);
}
