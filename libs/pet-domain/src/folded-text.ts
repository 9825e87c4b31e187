import type { Branded } from './value.js';

/** A text in the form in which it is compared "in any case". */
export type FoldedText = Branded<string, 'FoldedText'>;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form of a text that is the same for what people write in other letters of the same word: two texts are equal in any
 * case when their folded ones are (docs/contract.md, "Lists"). Empty for what is nothing but white space and invisible
 * characters.
 */
export function foldedText(text: string): FoldedText {
  // Small letters, then capitals, by Unicode's full mappings without a locale: ß, ẞ and SS are one, and all sigmas are. A
  // letter of one case may be composed where that of the other is not, so that NFC comes before and after.
  const capitals = text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
  return inOneLine(capitals.replace(INVISIBLE, '')) as FoldedText;
}

/** With one space for each run of white space, and none at the ends. */
export function inOneLine(text: string, space = /\s+/g): string {
  return text.replace(space, ' ').trim();
}
