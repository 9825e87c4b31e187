/** Line breaks as HTML has them, in any spelling, and character references (XML 1.0, section 4.6, and numeric ones). */
const MARKUP =
  /<\s*\/?\s*[bB][rR](?:\s[^<>]*)?\/?\s*>|&(?:(?<name>amp|lt|gt|quot|apos)|#(?<decimal>\d{1,10})|#[xX](?<hex>[0-9a-fA-F]{1,8}));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

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
  const resolved = cell.replace(/\r\n?/g, '\n').replace(MARKUP, (markup: string, ...rest: unknown[]) => {
    const { name, decimal, hex } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (name !== undefined) return NAMED[name] ?? markup;
    if (decimal !== undefined) return character(Number(decimal));
    return hex === undefined ? '\n' : character(Number.parseInt(hex, 16));
  });
  const spaced = resolved.replace(hasLines ? WHITE_SPACE_IN_LINES : WHITE_SPACE, ' ');
  return visible(spaced.replace(CONTROL, '').trim());
}

/** Nothing for a text of which nothing is seen. */
function visible(text: string): string | undefined {
  return /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text) ? text : undefined;
}

/** Nothing for a number that is no character, or half of one. */
function character(code: number): string {
  return code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff) ? '' : String.fromCodePoint(code);
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
