import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf } from './anchors.mjs';

/** `https:`, `mailto:`, or an address without a scheme. */
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * A rule for markdownlint: a relative link or picture names a file or folder that is there, and a heading that is in it.
 * Links to headings of the same document are the rule link-fragments'.
 */
export default {
  names: ['relative-links'],
  description: 'Relative links lead to files and headings that exist',
  tags: ['links'],
  parser: 'markdownit',
  function: ({ name, parsers }, onError) => {
    for (const { children, lineNumber } of parsers.markdownit.tokens.filter(
      ({ type }) => type === 'inline',
    )) {
      for (const link of children) {
        const address = link.attrGet('href') ?? link.attrGet('src');
        const mistake = address === null ? undefined : mistakeIn(address, dirname(name));
        if (mistake !== undefined)
          onError({ lineNumber: link.lineNumber ?? lineNumber, detail: `${address}: ${mistake}` });
      }
    }
  },
};

function mistakeIn(address, folder) {
  if (ELSEWHERE.test(address) || address.startsWith('#')) return undefined;
  if (address.startsWith('/')) return 'links are relative to the document';
  const [path, fragment] = address.split('#').map(decodeURIComponent);
  const target = join(folder, path);
  if (!existsSync(target)) return 'there is no such file';
  if (fragment === undefined || !target.endsWith('.md') || !statSync(target).isFile()) return undefined;
  return anchorsOf(readFileSync(target, 'utf8')).has(fragment) ? undefined : 'there is no such heading';
}
