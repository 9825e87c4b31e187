import { COUNT } from './inventory-statements.js';
import { InventoryRow } from './inventory.row.js';

/** What the counters of animals bring to the database. */
export const INVENTORY_RESOURCE = { rows: [InventoryRow], reads: [COUNT] };
