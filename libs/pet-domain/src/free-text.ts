import type { Branded, TextValue } from './value.js';
import { text } from './values.js';

/**
 * A text that people write and read, kept exactly as it was given: the name of an animal or a category, the reference and
 * the reason of an order.
 */
export type FreeText = Branded<string, 'FreeText'>;

// What a person would see as nothing at all: white space, zero-width and other invisible characters.
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Those of the Basic Multilingual Plane, for dialects of regular expressions that know no properties. */
const BLANK_CHARACTERS = [
  ...[' ', '\\u0085', '\\u00A0', '\\u00AD', '\\u034F', '\\u061C', '\\u115F-\\u1160', '\\u1680'],
  ...['\\u17B4-\\u17B5', '\\u180B-\\u180F', '\\u2000-\\u200F', '\\u2028-\\u202F', '\\u205F-\\u206F'],
  ...['\\u2800', '\\u3000', '\\u3164', '\\uFE00-\\uFE0F', '\\uFEFF', '\\uFFA0', '\\uFFF0-\\uFFF8'],
].join('');

/** C0 controls and DEL. */
const CONTROLS = '\\u0000-\\u001F\\u007F';
const CONTROLS_BUT_LINE_FEED = '\\u0000-\\u0009\\u000B-\\u001F\\u007F';

const CARRIAGE_RETURN = 'must not hold a carriage return (U+000D): lines end with a line feed (U+000A)';

export interface FreeTextOptions {
  /** Most code points. */
  readonly most?: number;
  /** Whether it may have more than one line, which a line feed ends. */
  readonly hasLines?: boolean;
}

/** Free texts of one kind. */
export interface FreeTexts<Text> extends TextValue<Text> {
  /** Longest text, in Unicode code points (an emoji counts once, however many code units it takes). */
  readonly MAX_CODE_POINTS: number;
  /** A regular expression that these texts match, in all dialects. */
  readonly PATTERN: string;
}

/** Free texts of one kind: one line of at most 255 code points unless told otherwise. */
export function freeTexts<Text extends FreeText>({
  most = 255,
  hasLines = false,
}: FreeTextOptions = {}): FreeTexts<Text> {
  const controls = hasLines ? CONTROLS_BUT_LINE_FEED : CONTROLS;
  const blanks = hasLines ? `${BLANK_CHARACTERS}\\u000A` : BLANK_CHARACTERS;
  const PATTERN = `^[^${controls}]+$`;
  const withoutControls = new RegExp(PATTERN);
  const isAllowed = (text: string): boolean => {
    // Every code point takes one or two code units: only in between does counting matter.
    if (text.length > 2 * most || (text.length > most && Array.from(text).length > most)) return false;
    return withoutControls.test(text) && text.isWellFormed() && !BLANK.test(text);
  };
  // Only these texts match it, but for two kinds that no expression names in all dialects: those with lone surrogates, and
  // those of nothing but invisible characters beyond U+FFFF, such as U+E0020.
  const inputPattern = `^[^${controls}]*[^${controls}${blanks}][^${controls}]*$`;
  return {
    ...text({
      kind: hasLines ? 'lines' : 'text',
      description:
        `a string of 1 to ${most} Unicode characters that are not all white space, without control characters ` +
        (hasLines ? 'other than line feeds and without lone surrogates' : 'or lone surrogates'),
      parse: (sent) => (isAllowed(sent) ? (sent as Text) : undefined),
      problemOf: (sent) => (hasLines && sent.includes('\r') ? CARRIAGE_RETURN : undefined),
      schema: { minLength: 1, maxLength: most, pattern: hasLines ? PATTERN : inputPattern },
    }),
    MAX_CODE_POINTS: most,
    PATTERN,
  };
}

export const FreeText: FreeTexts<FreeText> = freeTexts();
