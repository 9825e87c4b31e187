import type { CategoryId } from './category-id.js';
import type { PetStatus } from './pet-status.js';

/** How many animals there are of each status, as decimal digits. */
export type PetInventory = Readonly<Record<PetStatus, string>>;

/** Where animals are counted. Its cost does not grow with their number. */
export interface PetInventoryStore {
  /**
   * The numbers of one category, or of all animals; zeros for a category that no animal has. At most a second old
   * while sequencing works.
   *
   * @throws {StoreUnavailableError}
   */
  count(categoryId?: CategoryId): Promise<PetInventory>;
}
