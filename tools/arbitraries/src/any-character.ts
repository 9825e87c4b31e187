import fc from 'fast-check';

const LAST = 0x10_ffff;
/** First of the code points that are halves of pairs, and how many there are: they are no characters. */
const SURROGATES = 0xd800;
const SURROGATE_COUNT = 0x800;

/**
 * Any character of Unicode, as unit of `fc.string`: what fast-check's `binary` gives, which looks each character up in a
 * map of all of them, and takes most of a second to make it in each test file.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATE_COUNT })
  .map(characterAt, indexOf);

function characterAt(index: number): string {
  return String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT);
}

/** Lets fast-check shrink a string that it has not made itself, and put in strings that are known to cause trouble. */
function indexOf(character: unknown): number {
  if (typeof character !== 'string') throw new TypeError('This is no character.');
  const [first = '', ...others] = character;
  const point = first.codePointAt(0);
  if (point === undefined || others.length > 0 || !first.isWellFormed())
    throw new TypeError('This is not one character.');
  return point < SURROGATES ? point : point - SURROGATE_COUNT;
}
