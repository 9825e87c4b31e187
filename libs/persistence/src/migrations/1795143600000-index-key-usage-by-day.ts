import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** For forgetting old days of the keys' use without reading all of them. */
export class IndexKeyUsageByDay1795143600000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'IndexKeyUsageByDay1795143600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index api_key_usage_day on api_key_usage (day)');
  }
}
