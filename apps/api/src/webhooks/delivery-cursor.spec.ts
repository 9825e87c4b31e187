import { describe, expect, it } from '@jest/globals';
import { INT64_MAX } from '@petstore/pet-domain';
import { DeliveryStatus } from '@petstore/webhook';
import fc from 'fast-check';
import { MAX_CURSOR_LENGTH } from '../lists/cursor.parameter.js';
import { OrderCursor } from '../orders/order-cursor.js';
import { DeliveryCursor, type DeliveryListPosition } from './delivery-cursor.js';

const digits = fc
  .oneof(
    fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    fc.constantFrom(1n, 35n, 36n, 2n ** 53n, 2n ** 63n - 1n),
  )
  .map(String);
const position: fc.Arbitrary<DeliveryListPosition> = fc.record({
  webhookId: digits,
  status: fc.constantFrom(undefined, ...DeliveryStatus.ALL),
  before: digits,
}) as unknown as fc.Arbitrary<DeliveryListPosition>;

describe('a cursor of a list of deliveries', () => {
  it('stands for the position that it was made of, in the length that the document promises', () => {
    fc.assert(
      fc.property(position, (place) => {
        const cursor = DeliveryCursor.encode(place);
        expect(DeliveryCursor.decode(cursor)).toEqual(place);
        expect(cursor).toMatch(/^[0-9a-z_-]+$/);
      }),
    );
    const longest = { webhookId: INT64_MAX, status: 'dropped', before: INT64_MAX };
    const cursor = DeliveryCursor.encode(longest as DeliveryListPosition);
    expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
  });

  it('is none of another list, and refused when a character is changed', () => {
    fc.assert(
      fc.property(position, fc.nat(), (place, n) => {
        const cursor = DeliveryCursor.encode(place);
        expect(OrderCursor.decode(cursor)).toBeUndefined();
        const at = n % cursor.length;
        const changed = cursor.slice(0, at) + (cursor.charAt(at) === '1' ? '2' : '1') + cursor.slice(at + 1);
        expect(DeliveryCursor.decode(changed)).toBeUndefined();
      }),
    );
  });

  it.each(['', 'd_', '0000000d_01-1', '0000000d_51-1', '0'.repeat(64)])('%j is none', (text) => {
    expect(DeliveryCursor.decode(text)).toBeUndefined();
  });
});
