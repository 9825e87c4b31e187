import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** The table of animals. The checks repeat the rules of the domain as far as SQL can say them. */
export class CreatePets1795132800000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreatePets1795132800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table pets (
        id bigint generated always as identity,
        name text not null,
        category_id bigint not null,
        status text not null,
        created_at timestamptz not null default now(),
        constraint pets_pkey primary key (id),
        constraint pets_id_positive check (id >= 1),
        constraint pets_name_length check (char_length(name) between 1 and 255),
        constraint pets_name_control check (name !~ '[\\x01-\\x1f\\x7f]'),
        constraint pets_name_blank check (name ~ '[^[:space:]]'),
        constraint pets_category_id_positive check (category_id >= 1),
        constraint pets_status_known check (status in ('available', 'pending', 'sold'))
      )`);
    // Lists run backwards through this index, or through the primary key when there is no filter.
    await runner.query('create index pets_status_id on pets (status, id)');
  }
}
