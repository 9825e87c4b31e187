import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The table of requests of any operation that were carried out, with their first responses.
 *
 * Safe while earlier versions run: they read and write `add_requests`, which stays as it is. What is remembered there
 * is honoured by `add-requests.bridge.ts`, and nothing is copied: the base of a `Location` is not in the database.
 */
export class CreateIdempotentRequests1795150800000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateIdempotentRequests1795150800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotent_requests (
        caller text not null,
        token text not null,
        operation text not null,
        fingerprint bytea not null,
        status smallint not null,
        location text,
        etag text,
        body text,
        created_at timestamptz not null default now(),
        constraint idempotent_requests_pkey primary key (caller, token),
        constraint idempotent_requests_fingerprint check (octet_length(fingerprint) = 32),
        constraint idempotent_requests_status check (status between 100 and 599)
      )`);
    // For forgetting old ones.
    await runner.query('create index idempotent_requests_created_at on idempotent_requests (created_at)');
  }
}
