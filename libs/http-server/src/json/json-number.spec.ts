import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonNumber } from './json-number.js';

const digits = (source: string): string | undefined => new JsonNumber(source).toDigits();

describe('JsonNumber', () => {
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
  ])('%s is the whole number %s', (source, expected) => {
    expect(digits(source)).toBe(expected);
  });

  it.each([
    '1.5',
    '-1',
    '1e-1',
    '1e19',
    '1e400',
    '1e999999999999',
    '1e-999999999999',
    '10000000000000000000',
    '0.1',
  ])('%s is none, or too long', (source) => {
    expect(digits(source)).toBeUndefined();
  });

  it('agrees with exact arithmetic on every spelling', () => {
    const spelling = fc.record({
      whole: fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fraction: fc.option(fc.stringMatching(/^[0-9]{1,6}$/), { nil: undefined }),
      exponent: fc.option(fc.integer({ min: -25, max: 25 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(spelling, ({ whole, fraction = '', exponent = 0 }) => {
        const source = `${whole}${fraction && `.${fraction}`}${exponent === 0 ? '' : `e${exponent}`}`;
        // value = mantissa * 10^power
        const mantissa = BigInt(`${whole}${fraction}`);
        const power = exponent - fraction.length;
        const scale = 10n ** BigInt(Math.abs(power));
        const integral = power >= 0 || mantissa % scale === 0n;
        const value = power >= 0 ? mantissa * scale : mantissa / scale;
        expect(digits(source)).toBe(integral && value < 10n ** 19n ? value.toString() : undefined);
      }),
    );
  });

  it('agrees with exact arithmetic on runs of zeros and long exponents', () => {
    const run = fc.record({ zeros: fc.nat(60), digit: fc.constantFrom('', '1', '7', '42') });
    const spelling = fc.record({
      whole: fc.array(run, { minLength: 1, maxLength: 3 }),
      fraction: fc.array(run),
    });
    const text = (runs: readonly { zeros: number; digit: string }[]): string =>
      runs.map(({ zeros, digit }) => '0'.repeat(zeros) + digit).join('');
    fc.assert(
      fc.property(spelling, fc.integer({ min: -200, max: 200 }), ({ whole, fraction }, exponent) => {
        const [left, right] = [text(whole).replace(/^0+(?=.)/, '') || '0', text(fraction)];
        const source = `${left}${right === '' ? '' : `.${right}`}e${exponent}`;
        const mantissa = BigInt(left + right);
        const power = exponent - right.length;
        const scale = 10n ** BigInt(Math.abs(power));
        const integral = power >= 0 || mantissa % scale === 0n;
        const value = power >= 0 ? mantissa * scale : mantissa / scale;
        expect(digits(source)).toBe(integral && value < 10n ** 19n ? value.toString() : undefined);
      }),
    );
  });

  it.each([
    ['zeros between ones', `1${'0'.repeat(1_000_000)}1`],
    ['zeros in a fraction', `1.${'0'.repeat(1_000_000)}1`],
    ['zeros at the end', `1${'0'.repeat(1_000_000)}`],
    ['an exponent', `1e${'9'.repeat(1_000_000)}`],
    ['a negative exponent', `1e-${'9'.repeat(1_000_000)}`],
    ['digits', '1'.repeat(1_000_000)],
  ])('takes time in proportion to its length for %s', (_what, source) => {
    const began = performance.now();
    expect(digits(source)).toBeUndefined();
    // A million characters take milliseconds; with a square in it they would take minutes.
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
