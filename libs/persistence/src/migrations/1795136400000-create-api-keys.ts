import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/**
 * The tables of API keys. Settings, secrets, use and audit are apart: what requests write (use) never waits
 * for what operators write (settings), and a rotation adds a secret to a key that stays the same.
 */
export class CreateApiKeys1795136400000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'CreateApiKeys1795136400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table api_keys (
        id text not null,
        name text not null,
        plan text not null,
        per_minute integer,
        per_day integer,
        scopes text[] not null,
        created_at timestamptz not null,
        expires_at timestamptz,
        revoked_at timestamptz,
        constraint api_keys_pkey primary key (id),
        constraint api_keys_plan_known check (plan in ('free', 'pro', 'business', 'enterprise')),
        constraint api_keys_own_limits check (
          num_nonnulls(per_minute, per_day) = case plan when 'enterprise' then 2 else 0 end),
        constraint api_keys_scopes_known check (
          cardinality(scopes) > 0 and scopes <@ array['pets:read', 'pets:write'])
      )`);
    await runner.query(`
      create table api_key_secrets (
        hash text not null,
        key_id text not null,
        prefix text not null,
        last_four text not null,
        created_at timestamptz not null,
        valid_until timestamptz,
        constraint api_key_secrets_pkey primary key (hash),
        constraint api_key_secrets_key foreign key (key_id) references api_keys (id)
      )`);
    await runner.query('create index api_key_secrets_key_id on api_key_secrets (key_id)');
    // A key has one secret in force, whatever happens to a rotation half-way.
    await runner.query(
      'create unique index api_key_secrets_in_force on api_key_secrets (key_id) where valid_until is null',
    );
    await runner.query(`
      create table api_key_usage (
        key_id text not null,
        day date not null,
        requests bigint not null,
        refused bigint not null,
        constraint api_key_usage_pkey primary key (key_id, day),
        constraint api_key_usage_key foreign key (key_id) references api_keys (id)
      )`);
    await runner.query(`
      create table api_key_activity (
        key_id text not null,
        last_used_at timestamptz,
        banned_until timestamptz,
        constraint api_key_activity_pkey primary key (key_id),
        constraint api_key_activity_key foreign key (key_id) references api_keys (id)
      )`);
    await createAudit(runner);
  }
}

/** The audit takes new entries and nothing else, except from a superuser who disables the triggers. */
async function createAudit(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table api_key_audit (
      id bigint generated always as identity,
      key_id text not null,
      at timestamptz not null,
      action text not null,
      done_by text not null,
      details jsonb not null,
      constraint api_key_audit_pkey primary key (id),
      constraint api_key_audit_action_known check (
        action in ('created', 'updated', 'rotated', 'revoked', 'unbanned')),
      constraint api_key_audit_key foreign key (key_id) references api_keys (id)
    )`);
  await runner.query('create index api_key_audit_key_id on api_key_audit (key_id, id)');
  await runner.query(`
    create function api_key_audit_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'The table api_key_audit is append-only: % is refused.', tg_op
        using errcode = 'insufficient_privilege';
    end $$`);
  await runner.query(`
    create trigger api_key_audit_append_only before update or delete or truncate on api_key_audit
    for each statement execute function api_key_audit_append_only()`);
}
