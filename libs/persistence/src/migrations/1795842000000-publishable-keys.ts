import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** The sites whose pages may use a publishable key. Versions before it know no such key, and refuse it. */
export class PublishableKeys1795842000000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'PublishableKeys1795842000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        add origins text[] not null default '{}', -- none: a secret key
        add constraint api_keys_origins_few check (cardinality(origins) <= 20)`);
  }
}
