import { Injectable } from '@nestjs/common';
import { type CategoryId, type PetInventory, PetStatus } from '@petstore/pet-domain';
import { Database } from '../database/database.js';
import type { Statement } from '../pipelined-pool/statement.js';

const COUNT: Statement = {
  name: 'inventory_count',
  text: 'select status, animals from inventory where category_id = $1',
};

/** The category under which the counters of all animals are kept. No animal has it. */
const ALL = '0';

const NONE = Object.fromEntries(PetStatus.ALL.map((status) => [status, '0'])) as PetInventory;

/** The counters of animals that the sequencer keeps. */
@Injectable()
export class PetInventoryStore {
  constructor(private readonly database: Database) {}

  /**
   * The numbers of one category, or of all animals; zeros for a category that no animal has. At most a second old while the
   * sequencer works. The cost does not grow with the number of animals.
   *
   * @param allowStale whether numbers of some seconds ago will do, which a replica may serve
   * @throws {StoreUnavailableError}
   */
  async count(categoryId?: CategoryId, allowStale = false): Promise<PetInventory> {
    const rows = await this.database.readsFor(allowStale).queryOnce(COUNT, [categoryId ?? ALL]);
    return { ...NONE, ...(Object.fromEntries(rows) as Partial<PetInventory>) };
  }
}
