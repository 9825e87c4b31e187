import { sqlJsonOf } from '../columns/sql-json.js';
import { PET_JSON } from '../pet/pet-json.sql.js';

/** SQL of an order as JSON, of the columns of `orders`. It is written by the database, whose clock and ids it has. */
export const ORDER_JSON = sqlJsonOf([
  { member: 'id', kind: 'int64', value: 'id' },
  { member: 'petId', kind: 'int64', value: 'pet_id' },
  { member: 'status', kind: 'word', value: 'status' },
  { member: 'reference', kind: 'text', value: 'reference', isOptional: true },
  { member: 'reason', kind: 'text', value: 'reason', isOptional: true },
  { member: 'placedBy', kind: 'word', value: 'key_id' },
  { member: 'placedAt', kind: 'instant', value: 'placed_at' },
  { member: 'updatedAt', kind: 'instant', value: 'updated_at' },
  { member: 'expiresAt', kind: 'instant', value: 'expires_at', isOptional: true },
]);

/** SQL of the data of an event of an order, of the columns of `orders`. */
export const ORDER_EVENT_DATA = sqlJsonOf([{ member: 'order', kind: 'json', value: ORDER_JSON }]);

/** SQL of the data of `pet.updated`, of the columns of `pets` after a change of the status. @param previous SQL */
export function petStatusEventData(previous: string): string {
  return sqlJsonOf([
    { member: 'pet', kind: 'json', value: PET_JSON },
    {
      member: 'previous',
      kind: 'json',
      value: sqlJsonOf([{ member: 'status', kind: 'word', value: previous }]),
    },
  ]);
}
