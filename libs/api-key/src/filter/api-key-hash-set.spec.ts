import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiKeyHashSet, HASH_PREFIX_LENGTH } from './api-key-hash-set.js';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 53 bits of a hash as a number, by another way. */
const bitsOf = (hash: string): number =>
  Number(Array.from(hash.slice(0, 9)).reduce((sum, one) => sum * 64n + BigInt(DIGITS.indexOf(one)), 0n) / 2n);

const character = fc.constantFrom(...Array.from(DIGITS));
const prefix = fc.string({ unit: character, minLength: 9, maxLength: 9 });
/** Of few different ones: in few segments, close to each other, and often the same. */
const crowded = fc
  .tuple(
    fc.constantFrom('AA', 'AB', '__'),
    fc.string({ unit: fc.constantFrom('A', 'B', '_'), minLength: 7, maxLength: 7 }),
  )
  .map(([head, tail]) => head + tail);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

describe('a set of hashes', () => {
  it.each([
    ['spread over all', prefix],
    ['crowded in few segments', crowded],
  ])('has exactly what was added, as a Set has: %s', (_, arbitrary) => {
    fc.assert(
      fc.property(
        fc.array(arbitrary, { maxLength: 300 }),
        fc.array(arbitrary, { maxLength: 50 }),
        (added, others) => {
          const set = new ApiKeyHashSet();
          const model = new Set<number>();
          for (const hash of added) {
            expect(set.add(hash)).toBe(!model.has(bitsOf(hash)));
            model.add(bitsOf(hash));
          }
          expect(set.size).toBe(model.size);
          for (const hash of [...added, ...others]) expect(set.has(hash)).toBe(model.has(bitsOf(hash)));
        },
      ),
    );
  });

  it('reads hashes one behind the other in one text', () => {
    fc.assert(
      fc.property(fc.array(prefix, { minLength: 1, maxLength: 50 }), (hashes) => {
        const text = hashes.join('');
        const set = new ApiKeyHashSet();
        for (let at = 0; at < text.length; at += HASH_PREFIX_LENGTH) set.add(text, at);
        for (const hash of hashes) expect(set.has(`${hash}and the rest of it`)).toBe(true);
      }),
    );
  });

  it('is empty at first, also for the hash that is all zeros', () => {
    const set = new ApiKeyHashSet();
    expect(set.has('A'.repeat(43))).toBe(false);
    set.add(`${'A'.repeat(8)}C`);
    expect(set.has('A'.repeat(43))).toBe(false);
    expect([set.size, set.bytes]).toEqual([1, 32]);
  });

  it('tells every one of 200,000 hashes from as many others, in 11 bytes each', () => {
    const set = new ApiKeyHashSet();
    for (let i = 0; i < 200_000; i++) set.add(hashOf(`key ${i}`));
    for (let i = 0; i < 200_000; i++) {
      if (!set.has(hashOf(`key ${i}`)) || set.has(hashOf(`made up ${i}`))) throw new Error(`wrong at ${i}`);
    }
    expect(set.size).toBe(200_000);
    expect(set.bytes / set.size).toBeLessThan(11);
  });
});
