import { decodeHTMLStrict } from 'entities/decode';

/** What may be a line break of HTML. */
const TAG = /<[^<>]*>/g;
/** Character references of HTML, which has those of XML, and numeric ones; the longest name has 31 characters. */
const REFERENCE = /&(?:#\d{1,10}|#[xX][\da-fA-F]{1,8}|[a-zA-Z][a-zA-Z\d]{1,30});/g;

/** Line ends and tabs, which stand between words; a text of several lines keeps its line feeds. */
const WHITE_SPACE = /[\t-\r]+/g;
const WHITE_SPACE_IN_LINES = /[\t\v\f]+/g;
/** Other characters that no text of a profile holds; none of them is visible. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F]/g;

// What has nothing of this is the text that it is.
// oxlint-disable-next-line no-control-regex
const UNPLAIN = /[<&\u0000-\u001F\u007F]/;

/**
 * A text of a portal's file: `<br>` and `&#10;` are line feeds, or blanks in a text of one line, references are resolved
 * once, control characters are dropped. Other markup stays.
 *
 * @returns `undefined` when nothing is left
 */
export function plainText(cell: string, hasLines = false): string | undefined {
  if (!UNPLAIN.test(cell)) return visible(cell.trim());
  const resolved = cell
    .replace(/\r\n?/g, '\n')
    .replace(TAG, (tag) => (isLineBreak(tag) ? '\n' : tag))
    .replace(REFERENCE, characterOf);
  const spaced = resolved.replace(hasLines ? WHITE_SPACE_IN_LINES : WHITE_SPACE, ' ');
  return visible(spaced.replace(CONTROL, '').trim());
}

/** `<br>` in any spelling: `</BR>`, `< br / >`, `<br clear="all">`. */
function isLineBreak(tag: string): boolean {
  const [name = ''] = tag.slice(1, -1).replace('/', ' ').trimStart().split(/\s/, 1);
  return name.toLowerCase() === 'br';
}

/** Nothing for a number that is no character, or half of one. */
function characterOf(reference: string): string {
  const character = decodeHTMLStrict(reference);
  return character === '\uFFFD' ? '' : character;
}

/** Nothing for a text of which nothing is seen. */
function visible(text: string): string | undefined {
  return /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) ? text : undefined;
}

/** How far back a text is cut to end with a word; some scripts have no blanks. */
const LONGEST_WORD = 100;

/** The text, or as much of it as ends with a word and with `…` and has no more than so many characters. */
export function shortened(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const end = characters.slice(0, longest).findLastIndex((character) => character.trim() === '');
  const isNear = end > longest - LONGEST_WORD;
  const part = characters.slice(0, isNear ? end : longest - 1).join('');
  return `${part.trimEnd()}…`;
}

/** A text for a cell that takes HTML, on one line. */
export function toHtml(text: string | undefined): string | undefined {
  return text
    ?.replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>');
}

/** Characters of a wrong value that are shown. */
const SHOWN = 40;

/** What was found instead, as the end of a reason. */
export function found(cell: string): string {
  return `; it is ${JSON.stringify(cell.length > SHOWN ? `${cell.slice(0, SHOWN)}...` : cell)}`;
}
