import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * Webhook endpoints, their sealed secrets, and what is delivered to them.
 *
 * Safe while earlier versions run, which do not know them: an earlier version that sequences fans nothing out, and what
 * it has sequenced is brought by the feed or by a recovery of the endpoint.
 */
export class CreateWebhooks1795179600000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateWebhooks1795179600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhooks (
        id bigint generated always as identity constraint webhooks_pkey primary key,
        key_id text constraint webhooks_key_id_fkey references api_keys (id),
        url text not null,
        types text[],
        description text,
        status text not null constraint webhooks_status_known check (status in ('enabled', 'disabled')),
        disabled_reason text constraint webhooks_disabled_reason_known check (disabled_reason in ('failing', 'gone')),
        failing_since timestamptz,
        failed_attempts integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint webhooks_key_url unique (key_id, url),
        constraint webhooks_reason_of_disabled check (disabled_reason is null or status = 'disabled')
      )`);
    await runner.query(`
      create table webhook_secrets (
        id bigint generated always as identity constraint webhook_secrets_pkey primary key,
        webhook_id bigint not null
          constraint webhook_secrets_webhook_id_fkey references webhooks (id) on delete cascade,
        sealed bytea not null,
        created_at timestamptz not null default now(),
        valid_until timestamptz
      )`);
    await runner.query('create index webhook_secrets_webhook on webhook_secrets (webhook_id, id)');
    await runner.query(`
      create table webhook_deliveries (
        id bigint generated always as identity constraint webhook_deliveries_pkey primary key,
        webhook_id bigint not null
          constraint webhook_deliveries_webhook_id_fkey references webhooks (id) on delete cascade,
        position bigint,
        type text not null,
        status text not null constraint webhook_deliveries_status_known check (
          status in ('pending', 'delivered', 'failed', 'dropped')),
        attempts integer not null default 0,
        next_attempt_at timestamptz,
        last_attempt_at timestamptz,
        response_status integer,
        error text constraint webhook_deliveries_error_known check (
          error in ('http_status', 'timeout', 'dns', 'refused_address', 'connection', 'tls')),
        created_at timestamptz not null default now(),
        constraint webhook_deliveries_event unique (webhook_id, position),
        constraint webhook_deliveries_due_pending check ((status = 'pending') = (next_attempt_at is not null))
      )`);
    await runner.query(`
      create index webhook_deliveries_due on webhook_deliveries (next_attempt_at, id) where status = 'pending'`);
    await runner.query('create index webhook_deliveries_list on webhook_deliveries (webhook_id, status, id)');
    await runner.query(`create index webhook_deliveries_age on webhook_deliveries (created_at)`);
    await runner.query(`create index webhooks_enabled on webhooks (id) where status = 'enabled'`);
    await runner.query(`
      create index webhook_deliveries_lane on webhook_deliveries (webhook_id, next_attempt_at, id)
      where status = 'pending'`);
  }
}
