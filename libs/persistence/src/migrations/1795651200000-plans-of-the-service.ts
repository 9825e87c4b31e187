import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** The list of plans is the program's: one that is added needs no change of the schema. */
export class PlansOfTheService1795651200000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'PlansOfTheService1795651200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        drop constraint api_keys_plan_known,
        drop constraint api_keys_own_limits,
        add constraint api_keys_own_limits check (num_nonnulls(per_minute, per_day) in (0, 2))`);
  }
}
