import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventPosition } from './event-position.js';

const MAX = 2n ** 63n - 1n;
const position = fc.oneof(fc.bigInt({ min: 0n, max: MAX }), fc.constantFrom(0n, 1n, 9n, 10n, MAX - 1n, MAX));

describe('EventPosition', () => {
  it('is every int64 from 0 on, in plain digits', () => {
    fc.assert(
      fc.property(position, (value) => {
        expect(EventPosition.parse(String(value))).toBe(String(value));
      }),
    );
    expect(EventPosition.MAX).toBe(String(MAX));
  });

  it.each([
    ...['', ' ', '-0', '-1', '+1', '00', '01', '1.0', '1e3', '0x1', ' 1', '1 ', '1\n', '١', 'latest', '1,2'],
    ...['9223372036854775808', '9999999999999999999', '10000000000000000000'],
  ])('is not %j', (text) => {
    expect(EventPosition.parse(text)).toBeUndefined();
  });

  it('is not a number of ten thousand digits', () => {
    expect(EventPosition.parse('9'.repeat(10_000))).toBeUndefined();
  });

  it('is nothing but what BigInt reads within the range', () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: -10n, max: 2n ** 66n }).map(String), fc.string()), (text) => {
        const isPlain = /^(0|[1-9]\d*)$/.test(text) && BigInt(text) <= MAX;
        expect(EventPosition.parse(text)).toBe(isPlain ? text : undefined);
      }),
    );
  });

  it('is ordered as its number is', () => {
    const sign = (value: number): number => Math.sign(value);
    fc.assert(
      fc.property(position, position, (one, other) => {
        const [a, b] = [String(one), String(other)].map((text) => EventPosition.parse(text));
        if (a === undefined || b === undefined) throw new Error('not a position');
        expect(sign(EventPosition.compare(a, b))).toBe(one === other ? 0 : one < other ? -1 : 1);
      }),
    );
  });
});
