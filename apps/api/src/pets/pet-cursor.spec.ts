import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CategoryId, INT64_MAX, type PetId, PetStatus } from '@petstore/pet-domain';
import { MAX_CURSOR_LENGTH } from '../lists/cursor.parameter.js';
import { PetCursor } from './pet-cursor.js';

const int64 = fc
  .oneof(
    fc.bigInt({ min: 1n, max: BigInt(INT64_MAX) }),
    fc.bigInt({ min: 1n, max: 100_000n }),
    // Where numbers of 15 decimal digits, of 10 digits of base 36 and of 53 bits end.
    fc.constantFrom(10n ** 15n, 36n ** 10n, 2n ** 53n).chain((end) => fc.bigInt(end - 2n, end + 2n)),
  )
  .map(String);
const cursor = fc.record({
  status: fc.constantFrom(undefined, ...PetStatus.ALL),
  categoryId: fc.option(int64 as fc.Arbitrary<CategoryId>, { nil: undefined }),
  before: int64 as fc.Arbitrary<PetId>,
});

describe('PetCursor', () => {
  it('comes back as it was encoded', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        expect(PetCursor.decode(PetCursor.encode(position))).toEqual(position);
      }),
    );
  });

  it('holds only letters, digits and a hyphen, 35 at most, so that a URL needs no escapes', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        const encoded = PetCursor.encode(position);
        expect(encoded).toMatch(/^[0-9a-z]{9,21}(-[0-9a-z]{1,13})?$/);
        expect(encoded.length).toBeLessThan(MAX_CURSOR_LENGTH);
        expect(encoded.includes('-')).toBe(position.categoryId !== undefined);
      }),
    );
  });

  it('is refused when one character is changed', () => {
    const alphabet = fc.constantFrom(...Array.from('0123456789abcdefghijklmnopqrstuvwxyzA-_ %'));
    fc.assert(
      fc.property(cursor, fc.nat(34), alphabet, (position, where, character) => {
        const encoded = PetCursor.encode(position);
        const at = where % encoded.length;
        fc.pre(encoded[at] !== character);
        expect(PetCursor.decode(encoded.slice(0, at) + character + encoded.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it('is refused when it is cut or lengthened', () => {
    fc.assert(
      fc.property(cursor, fc.nat(34), (position, where) => {
        const encoded = PetCursor.encode(position);
        expect(PetCursor.decode(encoded.slice(0, where % encoded.length))).toBeUndefined();
        expect(PetCursor.decode(`${encoded}0`)).toBeUndefined();
      }),
    );
  });

  it.each<[text: string, position: { status: PetStatus | undefined; before: string }]>([
    ['1iw6qihz1', { status: undefined, before: '1' }],
    ['1h6v60ea16', { status: 'available', before: '42' }],
    ['1lkik1cp1y2p0ij32e8e7', { status: 'pending', before: '9223372036854775807' }],
    ['12g5bkys9ugxnorjls', { status: 'sold', before: '1000000000000000' }],
  ])('has one form, which cursors that clients have kept depend on: %s', (text, position) => {
    expect(PetCursor.encode({ ...position, before: position.before as PetId })).toBe(text);
    expect(PetCursor.decode(text)).toEqual(position);
  });

  it.each(['', ' ', 'x', '\0', 'zzzzzzzzzzzzzzzzzzzzz', '9'.repeat(10_000)])('refuses %j', (text) => {
    expect(PetCursor.decode(text)).toBeUndefined();
  });
});
