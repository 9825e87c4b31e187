import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldedText } from './folded-text.js';
import { anyName } from './testing/any-pet.js';

/** Above all letters that are composed, or are several, in one case only. */
const letters = fc.constantFrom(
  ...'Jjǰ\u030CHhẖ\u0331İIıi\u0307ßẞſSsΣςσΐΪ\u0345ᾳﬁŉ \u00A0\u200D\u034F'.split(''),
);
const texts = fc.oneof(anyName as fc.Arbitrary<string>, fc.string({ unit: letters, maxLength: 12 }));

describe('a folded text', () => {
  it.each([
    ['Labrador  retriever', 'LABRADOR RETRIEVER'],
    [' \t\u00A0and\u3000\uFEFF Cats ', 'AND CATS'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'STRASSE'],
    ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
    ['ΐ', 'Ϊ\u0301'],
    ['Cafe\u0301', 'CAFÉ'],
    // Composed before what is invisible goes.
    ['Cafe\u200D\u0301', 'CAFE\u0301'],
    ['ﬁfi', 'FIFI'],
    ['D\u00ADo\u200Bgs\u{E0100}', 'DOGS'],
    ['\u200B \u3164', ''],
  ])('of %j is %j', (text, folded) => {
    expect(foldedText(text)).toBe(folded);
  });

  it('is the same in another case, form or spacing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldedText(text);
        for (const other of [
          text.toLowerCase(),
          text.normalize('NFD'),
          ` \u2003${text} `,
          text.replaceAll(' ', ' \u00A0 '),
          text.replace(/\p{L}/gu, '\u200B$&'),
        ])
          expect(foldedText(other)).toBe(folded);
      }),
    );
  });
});
