import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CategoryName } from './category.js';
import { FreeText } from './free-text.js';
import { anyName } from './testing/any-pet.js';

/** Above all letters that are composed in one case only. */
const letters = fc.constantFrom(...'Jjǰ\u030CHhẖ\u0331İIi\u0307ßſΣς \u00A0'.split(''));
const names = fc.oneof(
  anyName,
  fc
    .string({ unit: letters, minLength: 1, maxLength: 12 })
    .filter((text) => FreeText.parse(text) !== undefined),
) as unknown as fc.Arbitrary<CategoryName>;
const keyOf = (text: string): string => CategoryName.keyOf(text as CategoryName);

describe('the key of a category’s name', () => {
  it.each([
    ['Dogs', 'dogs'],
    ['  Dogs \u00A0and\u3000 Cats ', 'dogs and cats'],
    ['Cafe\u0301', 'café'],
    ['ÄRGER', 'ärger'],
    ['STRASSE', 'strasse'],
    ['Straße', 'straße'],
    ['\u212Bngstrom', 'ångstrom'],
    ['İ', 'i̇'],
    ['J\u030C', '\u01F0'],
    ['🐕 Hunde', '🐕 hunde'],
    ...Array.from(
      '\u200B\u200C\u200D\u2060\u00AD\uFEFF\u034F\uFE0F\u180B\u202E\u2066\u3164\u{E0100}',
      (invisible) => [`${invisible}Do${invisible}gs`, 'dogs'],
    ),
    ['Cafe\u200D\u0301', 'café'],
    ['Big \u200B dogs\u2800', 'big dogs'],
    ['👩\u200D👧 Families', '👩👧 families'],
    [
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    ],
    ['🏴\u{E0067}', '🏴'],
  ])('of %j is %j', (name, key) => {
    expect(keyOf(name)).toBe(key);
  });

  it('is the same for a name in another form or spacing, and with invisible characters', () => {
    fc.assert(
      fc.property(names, (name) => {
        const key = keyOf(name);
        expect(keyOf(name.normalize('NFC'))).toBe(key);
        expect(keyOf(name.normalize('NFD'))).toBe(key);
        expect(keyOf(` \u2003${name} `)).toBe(key);
        expect(keyOf(name.replaceAll(' ', ' \u00A0 '))).toBe(key);
        expect(keyOf(name.replace(/\p{L}/gu, '\u200B$&\u00AD'))).toBe(key);
      }),
    );
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(keyOf(keyOf(name))).toBe(keyOf(name));
      }),
    );
  });

  it('is never empty', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(keyOf(name)).not.toBe('');
      }),
    );
  });
});
