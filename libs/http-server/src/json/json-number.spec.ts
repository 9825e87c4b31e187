import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonNumber } from './json-object.js';

const digits = (source: string): string | undefined => new JsonNumber(source).toDigits();

it.each([
  ['1', '1'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['1.0', '1'],
  ['1e0', '1'],
  ['1E+2', '100'],
  ['10e-1', '1'],
  ['1.5e1', '15'],
  ['120.00e-1', '12'],
  ['0.1e1', '1'],
  ['9.223372036854775807e18', '9223372036854775807'],
  ['0', '0'],
  ['-0', '0'],
  ['0e999999999', '0'],
  ['0.000', '0'],
  ['1.5', undefined],
  ['-1', undefined],
  ['1e-1', undefined],
  ['1e19', undefined],
  ['1e400', undefined],
  ['1e999999999999', undefined],
  ['1e-999999999999', undefined],
  ['10000000000000000000', undefined],
  ['0.1', undefined],
])('the number %s has these digits as a whole number: %s', (source, expected) => {
  expect(digits(source)).toBe(expected);
});

/** Runs of zeros with digits between them, or any digits. */
const someDigits = fc.oneof(
  fc.stringMatching(/^[0-9]{0,20}$/),
  fc
    .array(fc.tuple(fc.nat(60), fc.constantFrom('', '1', '7', '42')), { maxLength: 3 })
    .map((runs) => runs.map(([zeros, digit]) => '0'.repeat(zeros) + digit).join('')),
);

it('agrees with exact arithmetic on every spelling', () => {
  const exponents = fc.oneof(fc.integer({ min: -25, max: 25 }), fc.integer({ min: -200, max: 200 }));
  fc.assert(
    fc.property(
      someDigits,
      someDigits,
      fc.option(exponents, { nil: undefined }),
      (left, fraction, power = 0) => {
        const whole = left.replace(/^0+(?=.)/, '') || '0';
        const source = `${whole}${fraction && `.${fraction}`}${power === 0 ? '' : `e${power}`}`;
        // value = mantissa * 10^places
        const mantissa = BigInt(whole + fraction);
        const places = power - fraction.length;
        const scale = 10n ** BigInt(Math.abs(places));
        const integral = places >= 0 || mantissa % scale === 0n;
        const value = places >= 0 ? mantissa * scale : mantissa / scale;
        expect(digits(source)).toBe(integral && value < 10n ** 19n ? value.toString() : undefined);
      },
    ),
    { numRuns: 300 },
  );
});

// With a square in it, a million characters would take minutes, and the test would end by its time limit.
it.each([
  ['zeros between ones', `1${'0'.repeat(1_000_000)}1`],
  ['zeros in a fraction', `1.${'0'.repeat(1_000_000)}1`],
  ['zeros at the end', `1${'0'.repeat(1_000_000)}`],
  ['an exponent', `1e${'9'.repeat(1_000_000)}`],
  ['a negative exponent', `1e-${'9'.repeat(1_000_000)}`],
  ['digits', '1'.repeat(1_000_000)],
])('takes time in proportion to its length for a million %s', (_what, source) => {
  expect(digits(source)).toBeUndefined();
});
