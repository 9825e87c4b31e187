import { foldedText } from './folded-text.js';

/** Most code points by which a word counts. */
const MAX_WORD = 255;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The different words of a text, folded: runs of letters, digits and marks. */
export function foldedWords(text: string): readonly string[] {
  const words = foldedText(text).match(WORD) ?? [];
  return [...new Set(words.filter((word) => LETTER_OR_DIGIT.test(word)).map(cut))];
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : Array.from(word).slice(0, MAX_WORD).join('');
}
