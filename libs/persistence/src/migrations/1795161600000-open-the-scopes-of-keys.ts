import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The list of scopes is open: features bring theirs, and the database checks their form alone. The text of an array
 * quotes what is empty or has a space, and writes NULL in capitals, so that the pattern refuses these, too.
 *
 * Safe while earlier versions run: they write the same scopes as before. The table is locked only for a moment,
 * because no row is read: NOT VALID skips the existing rows, which have passed the stricter check that is dropped.
 */
export class OpenTheScopesOfKeys1795161600000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'OpenTheScopesOfKeys1795161600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        drop constraint api_keys_scopes_known,
        add constraint api_keys_scopes_form check (
          cardinality(scopes) <= 64 and scopes::text ~ '^\\{[a-z0-9:._-]+(,[a-z0-9:._-]+)*\\}$') not valid`);
  }
}
