import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import fc from 'fast-check';
import { FreeText } from './free-text.js';

const EMOJI = '\u{1F436}';

describe('FreeText', () => {
  it.each([
    ['one letter', 'R'],
    ['inner and outer white space', ' Rex  the dog '],
    ['every script', 'Белка 猫 كلب'],
    ['joined emoji', '👩‍🚀🐕‍🦺'],
    ['a zero-width joiner among letters', 'a\u200Db'],
    ['255 letters', 'x'.repeat(255)],
    ['255 characters of two code units each', EMOJI.repeat(255)],
    ['C1 controls', '\u0085x'],
  ])('takes %s', (_what, text) => {
    expect(FreeText.parse(text)).toBe(text);
  });

  it.each([
    ['empty', 'the empty text', ''],
    ['blank', 'spaces', '   '],
    ['blank', 'no-break spaces', '\u00A0\u202F\u3000'],
    ['blank', 'zero-width characters', '\u200B\u200D\uFEFF\u2060'],
    ['too_long', '256 letters', 'x'.repeat(256)],
    ['too_long', '256 characters of two code units each', EMOJI.repeat(256)],
    ['too_long', 'a novel', 'x'.repeat(100_000)],
    ['control_character', 'a line break', 'Rex\n'],
    ['control_character', 'NUL', 'a\0b'],
    ['control_character', 'DEL', '\u007F'],
    ['lone_surrogate', 'a high surrogate alone', 'a\uD83D'],
    ['lone_surrogate', 'a low surrogate alone', '\uDC36a'],
    ['lone_surrogate', 'surrogates in the wrong order', '\uDC36\uD83D'],
  ])('finds %s in %s', (flaw, _what, text) => {
    expect(FreeText.flaw(text)).toBe(flaw);
    expect(FreeText.parse(text)).toBeUndefined();
  });

  it('counts code points, not code units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (text) => {
        const named = `x${text}`;
        expect(FreeText.flaw(named) === 'too_long').toBe(Array.from(named).length > 255);
      }),
    );
  });

  it('keeps what it takes as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect([undefined, text]).toContain(FreeText.parse(text));
      }),
    );
  });
});
