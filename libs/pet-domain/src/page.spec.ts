import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PageLimit } from './page.js';

describe('PageLimit', () => {
  it('reads every whole number from 1 to 100', () => {
    for (let limit = 1; limit <= 100; limit++) expect(PageLimit.parse(String(limit))).toBe(limit);
  });

  it.each(['', '0', '101', '1000', '-1', '+10', ' 10', '10 ', '010', '1e1', '10.0', '0x10', 'ten', '١٠'])(
    'refuses %j',
    (text) => {
      expect(PageLimit.parse(text)).toBeUndefined();
    },
  );

  it('reads nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const limit = PageLimit.parse(text);
        if (limit !== undefined) expect(String(limit)).toBe(text);
      }),
    );
  });
});
