import type { Branded } from './value-types.js';

/** A text in the form in which it is compared "in any case". */
export type FoldedText = Branded<string, 'FoldedText'>;

/** How two texts that a person takes for one are made equal. */
interface Folding {
  /** What is left out. */
  readonly invisible: RegExp;
  /** What stands for one form of a letter and the other. */
  readonly oneCase: (text: string) => string;
  /** A run of it is one space, and none at the ends. */
  readonly space: RegExp;
}

/**
 * Folds a text. Invisible characters go first: they keep marks from being composed. A letter of one case may be composed
 * where that of the other is not, so that NFC comes before and after.
 */
export function fold(text: string, { invisible, oneCase, space }: Folding): string {
  const visible = text.replace(invisible, '$<kept>').normalize('NFC');
  return oneCase(visible).normalize('NFC').replace(space, ' ').trim();
}

const IN_ANY_CASE: Folding = {
  invisible: /(?<kept>)\p{Default_Ignorable_Code_Point}/gu,
  // Small letters, then capitals, by Unicode's full mappings without a locale: ß, ẞ and SS are one, and all sigmas are.
  oneCase: (text) => text.toLowerCase().toUpperCase(),
  space: /\s+/g,
};

/**
 * The form of a text that is the same for what people write in other letters of the same word: two texts are equal in any
 * case when their folded ones are (docs/contract.md, "Lists"). Empty for what is nothing but white space and invisible
 * characters.
 */
export function foldedText(text: string): FoldedText {
  return fold(text, IN_ANY_CASE) as FoldedText;
}
