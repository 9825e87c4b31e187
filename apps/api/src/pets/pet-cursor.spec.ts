import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INT64_MAX, type PetId, PetStatus } from '@petstore/pet-domain';
import { PetCursor } from './pet-cursor.js';

const cursor = fc.record({
  status: fc.constantFrom(undefined, ...PetStatus.ALL),
  before: fc
    .oneof(
      fc.bigInt({ min: 1n, max: BigInt(INT64_MAX) }),
      fc.bigInt({ min: 1n, max: 100_000n }),
      // Where numbers of 15 decimal digits, of 10 digits of base 36 and of 53 bits end.
      fc.constantFrom(10n ** 15n, 36n ** 10n, 2n ** 53n).chain((end) => fc.bigInt(end - 2n, end + 2n)),
    )
    .map((id) => id.toString() as PetId),
});

describe('PetCursor', () => {
  it('comes back as it was encoded', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        expect(PetCursor.decode(PetCursor.encode(position))).toEqual(position);
      }),
    );
  });

  it('holds only letters and digits, 21 at most, so that a URL needs no escapes', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        expect(PetCursor.encode(position)).toMatch(/^[0-9a-z]{9,21}$/);
      }),
    );
  });

  it('is refused when one character is changed', () => {
    const alphabet = fc.constantFrom(...Array.from('0123456789abcdefghijklmnopqrstuvwxyzA-_ %'));
    fc.assert(
      fc.property(cursor, fc.nat(20), alphabet, (position, where, character) => {
        const encoded = PetCursor.encode(position);
        const at = where % encoded.length;
        fc.pre(encoded[at] !== character);
        expect(PetCursor.decode(encoded.slice(0, at) + character + encoded.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it('is refused when it is cut or lengthened', () => {
    fc.assert(
      fc.property(cursor, fc.nat(20), (position, where) => {
        const encoded = PetCursor.encode(position);
        expect(PetCursor.decode(encoded.slice(0, where % encoded.length))).toBeUndefined();
        expect(PetCursor.decode(`${encoded}0`)).toBeUndefined();
      }),
    );
  });

  it.each<[text: string, status: PetStatus | undefined, before: string]>([
    ['07vq6j8z1', undefined, '1'],
    ['1ptjznna16', 'available', '42'],
    ['0x0i5omp1y2p0ij32e8e7', 'pending', '9223372036854775807'],
    ['0lkpi8xs9ugxnorjls', 'sold', '1000000000000000'],
  ])('is understood as release 1.0.0 gave it out: %s', (text, status, before) => {
    expect(PetCursor.decode(text)).toEqual({ status, before });
  });

  it.each(['', ' ', 'x', '\0', 'zzzzzzzzzzzzzzzzzzzzz', '9'.repeat(10_000)])('refuses %j', (text) => {
    expect(PetCursor.decode(text)).toBeUndefined();
  });
});
