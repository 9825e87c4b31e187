import type { Fields } from './fields.js';
import { jsonTextOf } from './fields-json.js';
import { PetStatus } from './pet-status.js';

/** How many pets there are of each status, as decimal digits. */
export type PetInventory = Readonly<Record<PetStatus, string>>;

const FIELDS = Object.fromEntries(PetStatus.ALL.map((status) => [status, 'int64'])) as Fields<PetInventory>;

/** An inventory as JSON text. */
export const inventoryJson: (inventory: PetInventory) => string = jsonTextOf<PetInventory>(FIELDS);
