import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OrderStatus } from '@petstore/order-domain';
import { type CategoryId, INT64_MAX, PetStatus } from '@petstore/pet-domain';
import { CategoryCursor } from '../categories/category-cursor.js';
import { OrderCursor, type OrderListPosition } from '../orders/order-cursor.js';
import { PetCursor } from '../pets/pet-cursor.js';
import { MAX_CURSOR_LENGTH } from './cursor.parameter.js';
import { pageLinks } from './page-links.js';

const int64 = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  fc.constantFrom(1n, 35n, 36n, 10n ** 15n, 2n ** 53n, 2n ** 63n - 1n),
);
const digits = int64.map(String);
const categories = digits.map((id) => CategoryCursor.encode(id as CategoryId));
const position: fc.Arbitrary<OrderListPosition> = fc.record({
  status: fc.constantFrom(undefined, ...OrderStatus.ALL),
  petId: fc.option(digits, { nil: undefined }),
  before: digits,
}) as unknown as fc.Arbitrary<OrderListPosition>;
const orders = position.map((place) => OrderCursor.encode(place));
const pets = fc
  .record({
    status: fc.constantFrom(undefined, ...PetStatus.ALL),
    categoryId: fc.option(digits, { nil: undefined }),
    before: digits,
  })
  .map((place) => PetCursor.encode(place as Parameters<typeof PetCursor.encode>[0]));

describe('cursors', () => {
  it('stand for the position that they were made of', () => {
    fc.assert(
      fc.property(position, digits, (place, id) => {
        expect(OrderCursor.decode(OrderCursor.encode(place))).toEqual(place);
        expect(CategoryCursor.decode(CategoryCursor.encode(id as CategoryId))).toBe(id);
      }),
    );
  });

  it('fit a URL as they are, and the length that the document promises', () => {
    fc.assert(
      fc.property(fc.oneof(orders, categories), (cursor) => {
        expect(cursor).toMatch(/^[0-9a-z_-]+$/);
        expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
      }),
    );
    const longest = {
      status: 'expired',
      petId: INT64_MAX,
      before: INT64_MAX,
    } as unknown as OrderListPosition;
    expect(OrderCursor.encode(longest).length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
  });

  it('of another list are refused', () => {
    fc.assert(
      fc.property(orders, categories, pets, (order, category, pet) => {
        expect([CategoryCursor.decode(order), PetCursor.decode(order)]).toEqual([undefined, undefined]);
        expect([OrderCursor.decode(category), PetCursor.decode(category)]).toEqual([undefined, undefined]);
        expect([OrderCursor.decode(pet), CategoryCursor.decode(pet)]).toEqual([undefined, undefined]);
      }),
    );
  });

  it('with a changed, lacking or additional character are refused', () => {
    const damaged = fc.tuple(
      fc.oneof(orders, categories),
      fc.nat(),
      fc.constantFrom('cut', 'doubled', 'changed'),
    );
    fc.assert(
      fc.property(damaged, ([cursor, place, how]) => {
        const at = place % cursor.length;
        const old = cursor.charAt(at);
        const put = how === 'cut' ? '' : how === 'doubled' ? old + old : old === '1' ? '2' : '1';
        const text = cursor.slice(0, at) + put + cursor.slice(at + 1);
        expect([OrderCursor.decode(text), CategoryCursor.decode(text)]).toEqual([undefined, undefined]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['', 'x', 'o_', '0000000o_01', '0000000c_1', '0'.repeat(64), 'é'])('%j is none', (text) => {
    expect([OrderCursor.decode(text), CategoryCursor.decode(text)]).toEqual([undefined, undefined]);
  });
});

describe('links of a page', () => {
  const page = { path: '/v1/things', limit: 20, next: undefined, isFirst: true };

  it('are none for the only page', () => {
    expect(pageLinks(page)).toBeUndefined();
  });

  it('keep the limit unless it is the usual one, and the filters that there are', () => {
    const filters = { status: 'sold', petId: undefined, other: '1' };
    expect(pageLinks({ ...page, limit: 7, filters, next: 'abc', isFirst: false })).toBe(
      '</v1/things?limit=7&status=sold&other=1&cursor=abc>; rel="next", </v1/things?limit=7&status=sold&other=1>; rel="first"',
    );
    expect(pageLinks({ ...page, isFirst: false })).toBe('</v1/things>; rel="first"');
    expect(pageLinks({ ...page, next: 'abc' })).toBe('</v1/things?cursor=abc>; rel="next"');
  });
});
