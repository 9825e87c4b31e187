import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idLists } from './pet.js';

describe('ids for several requests', () => {
  it('are all there, once each, newest first, at most 100 in a request', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 300n }), { maxLength: 700 }), (ids) => {
        const lists = idLists(ids);
        const expected = [...new Set(ids)].sort((a, b) => Number(b - a));
        expect(lists.flat()).toEqual(expected);
        expect(lists).toHaveLength(Math.ceil(expected.length / 100));
        for (const list of lists) expect(list.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('may be exact numbers, and no others', () => {
    expect(idLists([3, 9_007_199_254_740_993n, 3n])).toEqual([[9_007_199_254_740_993n, 3n]]);
    expect(() => idLists([2 ** 53])).toThrow(RangeError);
    expect(() => idLists([0.5])).toThrow(RangeError);
  });
});
