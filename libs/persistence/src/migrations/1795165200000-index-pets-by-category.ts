import type { MigrationInterface } from 'typeorm';
import type { PreparedMigration } from './prepared-migration.js';
import { ConcurrentIndex } from './concurrent-index.js';

/**
 * For lists of one category, with a status and without.
 *
 * Safe while earlier versions run: they neither use nor notice the index, and their writes go on while it is built.
 */
export class IndexPetsByCategory1795165200000
  extends ConcurrentIndex
  implements MigrationInterface, PreparedMigration
{
  readonly name = 'IndexPetsByCategory1795165200000';
  protected readonly index = 'pets_category_status_id';
  protected readonly table = 'pets';
  protected readonly columns = 'category_id, status, id';
}
