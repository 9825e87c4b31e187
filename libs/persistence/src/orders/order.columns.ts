import { ORDER_FIELDS, UNSAVED_ORDER_FIELDS } from '@petstore/order-domain';
import { columnsOf } from '../sql/columns.js';

const RENAMED = { placedBy: 'key_id' } as const;

/** Of the table `orders`. */
export const ORDER_COLUMNS = columnsOf(ORDER_FIELDS, RENAMED);
/** Without the id, which is the database's to give. */
export const UNSAVED_ORDER_COLUMNS = columnsOf(UNSAVED_ORDER_FIELDS, RENAMED);
