import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The table of imports of animals, with how far each has got.
 *
 * Safe while earlier versions run, which do not know it.
 */
export class CreatePetImports1795197600000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreatePetImports1795197600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table pet_imports (
        token text not null,
        fingerprint bytea not null,
        records bigint not null default 0,
        animals bigint not null default 0,
        started_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        finished_at timestamptz,
        constraint pet_imports_pkey primary key (token),
        constraint pet_imports_fingerprint check (octet_length(fingerprint) = 32),
        constraint pet_imports_counts check (animals between 0 and records)
      )`);
  }
}
