import { Order, ORDER_FIELDS, UNSAVED_ORDER_FIELDS } from '@petstore/order-domain';
import { EntitySchema } from 'typeorm';
import { columnsOf } from '../sql/columns.js';

/** The table `orders`. */
export const OrderSchema = new EntitySchema<Order>({
  name: 'Order',
  target: Order,
  tableName: 'orders',
  columns: {
    id: { type: 'bigint', primary: true, generated: true },
    petId: { name: 'pet_id', type: 'bigint' },
    status: { type: 'text' },
    reference: { type: 'text', nullable: true },
    reason: { type: 'text', nullable: true },
    placedBy: { name: 'key_id', type: 'text' },
    placedAt: { name: 'placed_at', type: 'timestamptz' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
  },
});

export const ORDER_COLUMNS = columnsOf(OrderSchema, ORDER_FIELDS);
/** Without the id, which is the database's to give. */
export const UNSAVED_ORDER_COLUMNS = columnsOf(OrderSchema, UNSAVED_ORDER_FIELDS);
