import type { Branded } from './value-types.js';

/**
 * A text that people write and read, 1 to {@link FreeText.MAX_CODE_POINTS} Unicode code points, kept exactly as it was
 * given: the name of an animal or a category, the reference and the reason of an order.
 */
export type FreeText = Branded<string, 'FreeText'>;

/** Why a text is not allowed. */
export type FreeTextFlaw = 'empty' | 'blank' | 'too_long' | 'control_character' | 'lone_surrogate';

const MAX_CODE_POINTS = 255;

// What a person would see as nothing at all: white space, zero-width and other invisible characters.
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
// The refused range is the rule itself: C0 controls and DEL.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;
// oxlint-disable-next-line no-control-regex
const CONTROL_BUT_LINE_FEED = /[\u0000-\u0009\u000B-\u001F\u007F]/;

/** Where a text may be longer than a line. */
export interface FreeTextOptions {
  /** Most code points. */
  readonly most?: number;
  readonly hasLines?: boolean;
}

/** What keeps `text` from being allowed; `undefined` when it is. */
function flaw(
  text: string,
  { most = MAX_CODE_POINTS, hasLines = false }: FreeTextOptions = {},
): FreeTextFlaw | undefined {
  if (text.length === 0) return 'empty';
  // Every code point takes one or two code units: only in between does counting matter.
  if (text.length > 2 * most) return 'too_long';
  if (text.length > most && Array.from(text).length > most) return 'too_long';
  if ((hasLines ? CONTROL_BUT_LINE_FEED : CONTROL).test(text)) return 'control_character';
  if (!text.isWellFormed()) return 'lone_surrogate';
  return BLANK.test(text) ? 'blank' : undefined;
}

export interface FreeTexts<Text> {
  /** Longest text, in Unicode code points (an emoji counts once, however many code units it takes). */
  readonly MAX_CODE_POINTS: number;
  /** What is allowed, as a refusal says it: "name must be ...". */
  readonly EXPECTED: string;
  readonly flaw: typeof flaw;
  /** `text` itself, or `undefined` when {@link FreeTexts.flaw} finds something. */
  parse(text: string): Text | undefined;
}

/** What reads free texts of one kind. */
export function freeTexts<Text extends FreeText>(): FreeTexts<Text> {
  return {
    MAX_CODE_POINTS,
    EXPECTED: `a string of 1 to ${MAX_CODE_POINTS} Unicode characters that are not all white space, without control characters or lone surrogates`,
    flaw,
    parse: (text) => (flaw(text) === undefined ? (text as Text) : undefined),
  };
}

export const FreeText: FreeTexts<FreeText> = freeTexts();
