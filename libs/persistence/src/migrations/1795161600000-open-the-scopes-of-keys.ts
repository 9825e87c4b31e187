import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The list of scopes is open: features bring theirs, so that the database checks their form alone. As text of an
 * array a scope needs no quoting, which no empty text, no null, no space and no capital letter has.
 *
 * Safe while earlier versions run: they write nothing else than before. Nothing is read, so that the table is locked
 * for an instant only: NOT VALID leaves out the rows there are, which have passed the stricter check that goes.
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
