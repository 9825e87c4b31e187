/**
 * What is not seen, or changes how the text around it is seen: control and format characters (U+202E turns a
 * line around, U+200B is nothing), line and paragraph separators, lone surrogates, private use, noncharacters,
 * and what is shown as nothing (Unicode, Default_Ignorable_Code_Point, and the blank Braille pattern).
 * The two variation selectors of emoji are not among them.
 */
const HIDDEN =
  /(?![\uFE0E\uFE0F])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');

/** Text that operators read in tables: one line, of which everything is seen. */
export const VisibleText = {
  /** The first character that does not belong there, as `U+202E`; `undefined` when there is none. */
  hiddenCharacter(text: string): string | undefined {
    const [character] = HIDDEN.exec(text) ?? [];
    return character === undefined ? undefined : `U+${codeOf(character).toUpperCase().padStart(4, '0')}`;
  },
  /** The text with `\u{202e}` in place of such characters: for what was kept before they were refused. */
  escape(text: string): string {
    return text.replace(EVERY_HIDDEN, (character) => `\\u{${codeOf(character)}}`);
  },
  /** The same for texts of several lines, whose ends are not escaped. */
  escapeLines(text: string): string {
    return text
      .split('\n')
      .map((line) => VisibleText.escape(line))
      .join('\n');
  },
  /** The same for JSON, where an escape stands for the character: parsing it gives the text as it is kept. */
  escapeJson(json: string): string {
    return json.replace(EVERY_HIDDEN, (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    );
  },
} as const;

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
