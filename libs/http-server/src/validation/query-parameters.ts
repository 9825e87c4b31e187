import { unescape } from 'node:querystring';

const [AMPERSAND, EQUALS, PERCENT, PLUS] = [0x26, 0x3d, 0x25, 0x2b];

/**
 * A value with more characters is taken as it stands: none of the contract is as long. The longest are 100 ids of 19
 * digits with commas between them, every character of which is escaped.
 */
const LONGEST_VALUE = 3 * (100 * 19 + 99);

/**
 * The wanted parameters of a target's query, as HTML forms write them (URL standard, section 5.1). One that is
 * given more than once is an array. Others are passed over, and cost no more than their characters.
 *
 * @param target path and query as they were sent
 * @param wanted names, in ASCII
 */
export function queryParameters(
  target: string,
  wanted: readonly string[],
): Readonly<Record<string, string | string[]>> {
  const found: Record<string, string | string[]> = {};
  let at = target.indexOf('?') + 1;
  if (at === 0) return found;
  while (at < target.length) {
    let end = at;
    let equals = -1;
    for (let char = target.charCodeAt(end); end < target.length && char !== AMPERSAND;) {
      if (char === EQUALS && equals < 0) equals = end;
      char = target.charCodeAt(++end);
    }
    const nameEnd = equals < 0 ? end : equals;
    const name = nameEnd === at ? undefined : wanted.find((each) => isNamed(target, at, nameEnd, each));
    if (name !== undefined) {
      const before = found[name];
      if (before === undefined) found[name] = equals < 0 ? '' : decoded(target.slice(equals + 1, end));
      // Twice is as wrong as any more often.
      else if (typeof before === 'string') found[name] = [before, target.slice(equals + 1, end)];
    }
    at = end + 1;
  }
  return found;
}

/** Whether what stands from `at` to `end`, unescaped, is this name. */
function isNamed(target: string, at: number, end: number, name: string): boolean {
  if (end - at < name.length) return false;
  for (let i = 0; i < name.length; i++) {
    let char = target.charCodeAt(at++);
    if (char === PERCENT) {
      char = Number.parseInt(target.slice(at, at + 2), 16);
      at += 2;
    } else if (char === PLUS) return false;
    if (char !== name.charCodeAt(i) || at > end) return false;
  }
  return at === end;
}

function decoded(value: string): string {
  return value.length > LONGEST_VALUE ? value : unescape(value.replaceAll('+', ' '));
}
