import { type DeliveryId, DeliveryStatus } from '@petstore/webhook';
import { CursorFormat, numbered } from '../lists/cursor.js';

/** Positions in lists of deliveries; `filter` is the webhook. */
export const DELIVERY_CURSOR = new CursorFormat<DeliveryId, DeliveryStatus>(
  'd_',
  numbered(DeliveryStatus.ALL),
);
