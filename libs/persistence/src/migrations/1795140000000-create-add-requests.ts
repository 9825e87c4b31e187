import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/** The table of requests that were carried out and must not be carried out again. */
export class CreateAddRequests1795140000000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateAddRequests1795140000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table add_requests (
        caller text not null,
        token text not null,
        pet_id bigint not null,
        name text not null,
        category_id bigint not null,
        status text not null,
        created_at timestamptz not null default now(),
        constraint add_requests_pkey primary key (caller, token)
      )`);
    // For forgetting old ones.
    await runner.query('create index add_requests_created_at on add_requests (created_at)');
  }
}
