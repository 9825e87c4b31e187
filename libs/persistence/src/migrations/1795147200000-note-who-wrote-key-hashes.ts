import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * Each hash records in which transaction it was written, so that a process can ask for exactly those that it has
 * not seen, however late they were committed. A trigger sees to it, because earlier versions of the service and
 * of the operators' tool write hashes too.
 *
 * Safe while they run: the column has no value for the hashes there are, which changes no row; processes read
 * all hashes at their start anyway.
 */
export class NoteWhoWroteKeyHashes1795147200000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'NoteWhoWroteKeyHashes1795147200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table api_key_secrets add column written_in bigint');
    await runner.query(`
      create function api_key_secrets_written_in() returns trigger language plpgsql as $$
      begin
        new.written_in := pg_current_xact_id()::text::bigint;
        return new;
      end $$`);
    await runner.query(`
      create trigger api_key_secrets_written_in before insert or update of hash on api_key_secrets
      for each row execute function api_key_secrets_written_in()`);
    await runner.query(
      'create index api_key_secrets_written_in on api_key_secrets (written_in) where written_in is not null',
    );
  }
}
