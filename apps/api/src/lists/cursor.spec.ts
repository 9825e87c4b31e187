import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INT64_MAX } from '@petstore/pet-domain';
import { CATEGORY_CURSOR } from '../categories/category.dto.js';
import { ORDER_CURSOR } from '../orders/order.dto.js';
import { PET_CURSOR } from '../pets/pet.dto.js';
import { DELIVERY_CURSOR } from '../webhooks/delivery.dto.js';
import type { CursorFormat, CursorPosition } from './cursor.js';
import { MAX_CURSOR_LENGTH } from './list-parameters.js';

const FORMATS: readonly (readonly [
  list: string,
  format: CursorFormat,
  statuses: readonly (string | undefined)[],
])[] = [
  ['pets', PET_CURSOR, [undefined, 'available', 'pending', 'sold']],
  ['categories', CATEGORY_CURSOR, [undefined]],
  ['orders', ORDER_CURSOR, [undefined, 'placed', 'expired']],
  ['deliveries', DELIVERY_CURSOR, [undefined, 'pending', 'dropped']],
];

const digits = fc
  .oneof(
    fc.bigInt({ min: 1n, max: BigInt(INT64_MAX) }),
    fc.bigInt({ min: 1n, max: 100_000n }),
    // Where numbers of 53 bits end.
    fc.constantFrom(2n ** 53n).chain((end) => fc.bigInt(end - 2n, end + 2n)),
  )
  .map(String);
const positionsOf = (statuses: readonly (string | undefined)[]): fc.Arbitrary<CursorPosition> =>
  fc.record({
    before: digits,
    status: fc.constantFrom(...statuses),
    filter: fc.option(digits, { nil: undefined }),
  });

describe.each(FORMATS)('a cursor of a list of %s', (list, format, statuses) => {
  const positions = positionsOf(statuses);

  it('stands for the position that it was made of, and fits a URL and the promised length', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const cursor = format.encode(position);
        expect(format.decode(cursor)).toEqual(position);
        expect(cursor).toMatch(/^[0-9a-z_-]+$/);
      }),
    );
    const longest = { before: INT64_MAX, status: statuses.at(-1), filter: INT64_MAX };
    expect(format.encode(longest).length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
  });

  it('is none of another list', () => {
    const others = FORMATS.filter(([other]) => other !== list);
    fc.assert(
      fc.property(positions, (position) => {
        for (const [, other] of others) expect(other.decode(format.encode(position))).toBeUndefined();
      }),
    );
  });

  it('with a changed, lacking or additional character is refused', () => {
    fc.assert(
      fc.property(
        positions,
        fc.nat(),
        fc.constantFrom(...Array.from('01az-_ %A'), 'cut', 'doubled'),
        (position, place, how) => {
          const cursor = format.encode(position);
          const at = place % cursor.length;
          const old = cursor.charAt(at);
          const put = how === 'cut' ? '' : how === 'doubled' ? old + old : how;
          fc.pre(put !== old);
          expect(format.decode(cursor.slice(0, at) + put + cursor.slice(at + 1))).toBeUndefined();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each(['', ' ', 'x', '\0', 'o_', '0000000o_01', '0000000c_1', '0000000d_51-1', '0'.repeat(64), 'é'])(
    '%j is none',
    (text) => {
      expect(format.decode(text)).toBeUndefined();
    },
  );
});

it.each<[text: string, position: CursorPosition]>([
  ['1iw6qihz1', { before: '1' }],
  ['1h6v60ea16', { status: 'available', before: '42' }],
  ['1lkik1cp1y2p0ij32e8e7', { status: 'pending', before: '9223372036854775807' }],
  ['12g5bkys9ugxnorjls', { status: 'sold', before: '1000000000000000' }],
])('the cursor %s, which a client may have kept, stands for the same animal as ever', (text, position) => {
  expect(PET_CURSOR.encode(position as never)).toBe(text);
  expect(PET_CURSOR.decode(text)).toMatchObject(position);
});
