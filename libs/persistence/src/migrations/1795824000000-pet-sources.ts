import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** Which animal a source means by a reference: a shelter program writes its whole stock anew each night. */
const PET_SOURCES = `
  create table pet_sources (
    source text not null,
    reference text not null, -- the source's own name for the animal
    pet_id bigint not null,
    constraint pet_sources_pkey primary key (source, reference),
    -- Also what goes with an animal that is deleted.
    constraint pet_sources_pet_id_key unique (pet_id),
    constraint pet_sources_pet foreign key (pet_id) references pets (id) on delete cascade,
    constraint pet_sources_source_form check (source ~ '^[a-z0-9-]{1,64}$')
  )`;

/** An import is one transaction: there is no progress to be kept. */
const IMPORTS_IN_ONE = `
  alter table pet_imports drop column updated_at, drop column finished_at`;

export class PetSources1795824000000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'PetSources1795824000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PET_SOURCES);
    await runner.query(IMPORTS_IN_ONE);
  }
}
