import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requireEntityTags } from '@petstore/http-server';
import { FreeText } from '@petstore/pet-domain';
import { FREE_TEXT_INPUT_SCHEMA, FREE_TEXT_SCHEMA, PRECONDITION_SCHEMA } from './schemas.js';

const DIALECTS = [
  ['code points', new RegExp(FREE_TEXT_INPUT_SCHEMA.pattern, 'u')],
  ['code units', new RegExp(FREE_TEXT_INPUT_SCHEMA.pattern)],
] as const;

/** What no expression names in all dialects: lone surrogates, and nothing but invisible characters beyond U+FFFF. */
const isOutOfReach = (text: string): boolean =>
  !text.isWellFormed() ||
  (FreeText.flaw(text) === 'blank' && Array.from(text).some((char) => char.length > 1));

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
    const pattern = new RegExp(FREE_TEXT_SCHEMA.pattern);
    fc.assert(
      fc.property(text, (candidate) => {
        if (FreeText.parse(candidate) !== undefined) expect(candidate).toMatch(pattern);
      }),
    );
  });
});

describe('the pattern of If-Match', () => {
  const pattern = new RegExp(PRECONDITION_SCHEMA.pattern ?? '');
  const piece = fc.constantFrom(
    ...['"', '"a"', 'W/', 'w/', ',', ' ', '\t', '*', 'a', '"é"', '"\u007F"', '" "', '""'],
  );

  it('admits exactly the fields that are read as a condition', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join('')),
        (field) => {
          const read = (): void => {
            requireEntityTags({ method: 'PUT', headers: { 'if-match': field } });
          };
          if (pattern.test(field)) read();
          else expect(read).toThrow('If-Match must be');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('decides about long fields without delay', () => {
    expect(pattern.test(`${'"a" , '.repeat(2_000)}!`)).toBe(false);
  });
});
