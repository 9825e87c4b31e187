import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INT64_MAX, isPositiveInt64 } from './int64.js';

describe('isPositiveInt64', () => {
  it.each(['1', '9', '10', '9007199254740993', '9223372036854775806', INT64_MAX])('takes %s', (text) => {
    expect(isPositiveInt64(text)).toBe(true);
  });

  it.each([
    ...['', '0', '00', '01', '-1', '+1', ' 1', '1 ', '1.0', '1e3', '0x1', 'abc', '١', '1\n', '\0'],
    ...['9223372036854775808', '9999999999999999999', '10000000000000000000'],
  ])('refuses %j', (text) => {
    expect(isPositiveInt64(text)).toBe(false);
  });

  it('takes exactly the whole numbers from 1 to 2^63 - 1', () => {
    const max = BigInt(INT64_MAX);
    fc.assert(
      fc.property(fc.bigInt({ min: -max, max: 4n * max }), (value) => {
        expect(isPositiveInt64(value.toString())).toBe(value >= 1n && value <= max);
      }),
    );
  });

  it('takes no text that is not the decimal digits of a number', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (isPositiveInt64(text)) expect(BigInt(text).toString()).toBe(text);
      }),
    );
  });
});
