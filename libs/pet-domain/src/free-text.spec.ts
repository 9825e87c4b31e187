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
    ['the empty text', ''],
    ['spaces', '   '],
    ['no-break spaces', '\u00A0\u202F\u3000'],
    ['zero-width characters', '\u200B\u200D\uFEFF\u2060'],
    ['256 letters', 'x'.repeat(256)],
    ['256 characters of two code units each', EMOJI.repeat(256)],
    ['a novel', 'x'.repeat(100_000)],
    ['a line break', 'Rex\n'],
    ['NUL', 'a\0b'],
    ['DEL', '\u007F'],
    ['a high surrogate alone', 'a\uD83D'],
    ['a low surrogate alone', '\uDC36a'],
    ['surrogates in the wrong order', '\uDC36\uD83D'],
  ])('does not take %s', (_what, text) => {
    expect(FreeText.parse(text)).toBeUndefined();
  });

  it('counts code points, not code units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (text) => {
        const named = `x${text}`;
        expect(FreeText.parse(named) === undefined).toBe(Array.from(named).length > 255);
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

const DIALECTS = [
  ['code points', new RegExp(FreeText.schema.pattern ?? '', 'u')],
  ['code units', new RegExp(FreeText.schema.pattern ?? '')],
] as const;

const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/** What no expression names in all dialects: lone surrogates, and nothing but invisible characters beyond U+FFFF. */
const isOutOfReach = (text: string): boolean =>
  !text.isWellFormed() || (INVISIBLE.test(text) && Array.from(text).some((char) => char.length > 1));

const codeUnit = fc.oneof(
  fc.nat(0xffff),
  fc.constantFrom(0, 9, 0x1f, 0x20, 0x7f, 0x80, 0x85, 0xa0, 0xad, 0x200b, 0x2800, 0x3164, 0xfeff, 0xfff8),
);
const text = fc
  .array(
    fc.oneof(
      codeUnit.map((unit) => String.fromCharCode(unit)),
      fc.constantFrom('🐇', '𝔸'),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((chars) => chars.join(''))
  .filter((candidate) => !isOutOfReach(candidate));

describe.each(DIALECTS)('the pattern of texts in requests, read as %s', (_name, pattern) => {
  it('admits exactly what the service accepts', () => {
    fc.assert(
      fc.property(text, (candidate) => {
        expect(pattern.test(candidate)).toBe(FreeText.parse(candidate) !== undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('admits each character alone that the service accepts alone', () => {
    const wrong: string[] = [];
    for (let unit = 0; unit <= 0xffff; unit++) {
      const char = String.fromCharCode(unit);
      if (isOutOfReach(char)) continue;
      if (pattern.test(char) !== (FreeText.parse(char) !== undefined)) wrong.push(unit.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it('decides about the longest text without delay', () => {
    const blank = '\u2800'.repeat(FreeText.MAX_CODE_POINTS);
    expect(pattern.test(blank)).toBe(false);
    expect(pattern.test(`${blank}x`)).toBe(true);
  });
});

describe('the pattern of texts in responses', () => {
  it('admits whatever the service accepts', () => {
    const pattern = new RegExp(FreeText.PATTERN);
    fc.assert(
      fc.property(text, (candidate) => {
        if (FreeText.parse(candidate) !== undefined) expect(candidate).toMatch(pattern);
      }),
    );
  });
});
