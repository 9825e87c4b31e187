import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ForwardOnly } from './forward-only.js';

/*
 * All tables, each in one piece with its constraints and indexes. A table stands behind those that it refers to.
 *
 * Check constraints repeat the rules of the domain as far as SQL can say them: they catch a faulty statement and rows
 * that are written by hand. Every time is the database's.
 */

/** API keys: what a key may do, and until when. */
const API_KEYS = `
  create table api_keys (
    id text not null, -- "key_" and 16 characters; not the secret
    name text not null, -- for people; need not be unique
    plan text not null,
    per_minute integer, -- these two for enterprise only: other plans have theirs in the program
    per_day integer,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz, -- NULL for never
    revoked_at timestamptz, -- NULL unless revoked
    constraint api_keys_pkey primary key (id),
    constraint api_keys_plan_known check (plan in ('free', 'pro', 'business', 'enterprise')),
    constraint api_keys_own_limits check (
      num_nonnulls(per_minute, per_day) = case plan when 'enterprise' then 2 else 0 end),
    -- The form only: the list of scopes is the program's. The text of an array quotes an element that is empty or has a
    -- space, and writes NULL in capitals, so that the pattern refuses these, too.
    constraint api_keys_scopes_form check (
      cardinality(scopes) <= 64 and scopes::text ~ '^\\{[a-z0-9:._-]+(,[a-z0-9:._-]+)*\\}$')
  )`;

/** Secrets of keys, by their hash: two of one key while a rotation overlaps. A secret itself is kept nowhere. */
const API_KEY_SECRETS = `
  create table api_key_secrets (
    hash text not null, -- HMAC-SHA-256 with the pepper, base64url
    pepper_id text not null, -- which pepper the key was issued under
    key_id text not null,
    prefix text not null, -- how the secret begins and ends, for people
    last_four text not null,
    created_at timestamptz not null,
    valid_until timestamptz, -- NULL for the secret in force
    -- The look-up of every request whose key is not cached.
    constraint api_key_secrets_pkey primary key (hash),
    constraint api_key_secrets_key foreign key (key_id) references api_keys (id)
  );
  -- The secrets of one key.
  create index api_key_secrets_key_id on api_key_secrets (key_id);
  -- A key has one secret in force, whatever happens to a rotation half-way.
  create unique index api_key_secrets_in_force on api_key_secrets (key_id) where valid_until is null`;

/** Requests of a key by day (UTC). Apart from the settings, so that counting never waits for an operator. */
const API_KEY_USAGE = `
  create table api_key_usage (
    key_id text not null,
    day date not null,
    requests bigint not null, -- all, refused ones included
    refused bigint not null, -- answered with 429
    -- Also the history of one key.
    constraint api_key_usage_pkey primary key (key_id, day),
    constraint api_key_usage_key foreign key (key_id) references api_keys (id)
  );
  -- Retention.
  create index api_key_usage_day on api_key_usage (day)`;

/** What changes with every use of a key. */
const API_KEY_ACTIVITY = `
  create table api_key_activity (
    key_id text not null,
    last_used_at timestamptz,
    banned_until timestamptz,
    constraint api_key_activity_pkey primary key (key_id),
    constraint api_key_activity_key foreign key (key_id) references api_keys (id)
  )`;

/** Every change of a key. Takes new rows and nothing else, except from a superuser who disables the trigger. */
const API_KEY_AUDIT = `
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
  );
  -- The history of one key, oldest first.
  create index api_key_audit_key_id on api_key_audit (key_id, id);
  create function api_key_audit_append_only() returns trigger language plpgsql as $$
  begin
    raise exception 'The table api_key_audit is append-only: % is refused.', tg_op
      using errcode = 'insufficient_privilege';
  end $$;
  create trigger api_key_audit_append_only before update or delete or truncate on api_key_audit
  for each statement execute function api_key_audit_append_only()`;

const PETS = `
  create table pets (
    id bigint generated always as identity,
    name text not null,
    category_id bigint not null, -- no foreign key: an id may be used before its category has a name
    status text not null,
    created_at timestamptz not null default now(),
    -- Also lists without a filter, newest first.
    constraint pets_pkey primary key (id),
    constraint pets_id_positive check (id >= 1),
    constraint pets_name_length check (char_length(name) between 1 and 255),
    constraint pets_name_control check (name !~ '[\\x01-\\x1f\\x7f]'),
    constraint pets_name_blank check (name ~ '[^[:space:]]'),
    constraint pets_category_id_positive check (category_id >= 1),
    constraint pets_status_known check (status in ('available', 'pending', 'sold'))
  );
  -- Lists of one status, newest first.
  create index pets_status_id on pets (status, id);
  -- Lists of one category, with a status and without (one range for each status); whether a category is in use.
  create index pets_category_status_id on pets (category_id, status, id)`;

/** What adopters look at of an animal. One that nobody has described has no row. */
const PET_PROFILES = `
  create table pet_profiles (
    pet_id bigint not null,
    profile text not null, -- JSON, in the order and the form in which it is returned
    updated_at timestamptz not null,
    constraint pet_profiles_pkey primary key (pet_id),
    constraint pet_profiles_pet foreign key (pet_id) references pets (id) on delete cascade,
    constraint pet_profiles_object check (profile ~ '^\\{.+\\}$'),
    constraint pet_profiles_size check (octet_length(profile) <= 16384)
  )`;

/** Names of the categories that pets refer to. */
const CATEGORIES = `
  create table categories (
    -- By default: a client may name the id.
    id bigint generated by default as identity,
    name text not null,
    name_key text not null, -- the name without what does not distinguish two names, such as case
    created_at timestamptz not null default now(),
    constraint categories_pkey primary key (id),
    constraint categories_id_positive check (id >= 1),
    -- No two categories have the same name.
    constraint categories_name_key unique (name_key)
  )`;

/** Adoption orders. */
const ORDERS = `
  create table orders (
    id bigint generated always as identity,
    pet_id bigint not null, -- no foreign key: an order outlives a pet that is removed
    key_id text not null, -- the key that placed it
    status text not null,
    reference text, -- the client's own
    reason text, -- of a decision against it
    placed_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    expires_at timestamptz,
    -- Also lists of everything, newest first.
    constraint orders_pkey primary key (id),
    constraint orders_key_id_fkey foreign key (key_id) references api_keys (id),
    constraint orders_status_known check (
      status in ('placed', 'approved', 'delivered', 'returned', 'cancelled', 'declined', 'expired')),
    -- What is open expires, and nothing else does.
    constraint orders_expiry check ((status in ('placed', 'approved')) = (expires_at is not null))
  );
  -- A pet has one active order; also what an order has made of a pet.
  create unique index orders_active_pet on orders (pet_id) where status in ('placed', 'approved', 'delivered');
  -- Lists of one key.
  create index orders_key on orders (key_id, id);
  -- Lists of one key and status; how many orders of a key are open.
  create index orders_key_status on orders (key_id, status, id);
  -- Lists of one status.
  create index orders_status on orders (status, id);
  -- Lists of one pet.
  create index orders_pet on orders (pet_id, id);
  -- What has expired.
  create index orders_due on orders (expires_at) where expires_at is not null`;

/** Events without a position, written in the transaction of the change. A queue: the sequencer empties it. */
const OUTBOX = `
  create table outbox (
    -- Without a cache: ids of different sessions are in the order in which they were drawn.
    id bigint generated always as identity (cache 1),
    type text not null,
    resource text not null,
    audience text, -- id of the only key that reads it beside those that see everything; NULL for all
    data text not null, -- JSON
    happened_at timestamptz not null default now(),
    constraint outbox_pkey primary key (id)
  ) with (
    -- Removed rows must not slow down the search for the oldest one.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
  )`;

/** The feed: events by position. Never changed, and removed only by age. */
const EVENTS = `
  create table events (
    position bigint not null,
    type text not null,
    resource text not null,
    audience text,
    json text not null, -- the whole event, the same bytes for every reader
    happened_at timestamptz not null,
    constraint events_pkey primary key (position)
  );
  -- Pages of one resource, where the next events hold too few of it.
  create index events_resource on events (resource, position);
  -- Pages of the orders of one key, likewise.
  create index events_audience on events (audience, position) where audience is not null`;

/** Where the feed begins and ends. */
const EVENT_HEAD = `
  create table event_head (
    one boolean not null default true,
    position bigint not null, -- of the newest event
    first bigint not null, -- of the last event that is no longer kept
    -- One row.
    constraint event_head_pkey primary key (one),
    constraint event_head_one check (one),
    constraint event_head_order check (first >= 0 and position >= first)
  );
  insert into event_head (position, first) values (0, 0)`;

/** How many pets there are by category and status; category 0 is all of them. Kept by the sequencer. */
const INVENTORY = `
  create table inventory (
    category_id bigint not null,
    status text not null,
    animals bigint not null,
    constraint inventory_pkey primary key (category_id, status)
  );
  -- Counters that have become 0, which are removed.
  create index inventory_empty on inventory (category_id) where animals = 0`;

/** Webhook endpoints. */
const WEBHOOKS = `
  create table webhooks (
    id bigint generated always as identity,
    key_id text, -- NULL for one that was removed, until its deliveries are gone
    url text not null,
    types text[], -- NULL for all events that the key may read
    description text,
    status text not null,
    disabled_reason text, -- NULL when it was disabled by hand
    failing_since timestamptz, -- since when every attempt has failed
    failed_attempts integer not null default 0, -- since then
    -- How fast the last attempts were: 0 when they were slow, up to 16 the more of them were fast; NULL before the first.
    health smallint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint webhooks_pkey primary key (id),
    constraint webhooks_key_id_fkey foreign key (key_id) references api_keys (id),
    -- A key has one endpoint for a URL; also the list of a key. Removed ones do not meet: NULL equals nothing.
    constraint webhooks_key_url unique (key_id, url),
    constraint webhooks_status_known check (status in ('enabled', 'disabled')),
    constraint webhooks_disabled_reason_known check (disabled_reason in ('failing', 'gone')),
    constraint webhooks_reason_of_disabled check (disabled_reason is null or status = 'disabled')
  );
  -- The endpoints that events are queued for, and whether there is any.
  create index webhooks_enabled on webhooks (id) where status = 'enabled';
  -- The priority classes of a claim: endpoints that are fast, new and slow.
  create index webhooks_fast on webhooks (id) include (health) where health > 0;
  create index webhooks_new on webhooks (id) where health is null;
  create index webhooks_slow on webhooks (id) where health = 0`;

/** What deliveries are signed with: two secrets of one endpoint while a rotation overlaps. */
const WEBHOOK_SECRETS = `
  create table webhook_secrets (
    id bigint generated always as identity,
    webhook_id bigint not null,
    sealed bytea not null, -- AES-256-GCM under a key derived from the pepper
    created_at timestamptz not null default now(),
    valid_until timestamptz, -- NULL for the current one
    constraint webhook_secrets_pkey primary key (id),
    constraint webhook_secrets_webhook_id_fkey foreign key (webhook_id) references webhooks (id) on delete cascade
  );
  -- The secrets of one endpoint, oldest first.
  create index webhook_secrets_webhook on webhook_secrets (webhook_id, id)`;

/** One event for one endpoint. Also the queue of what is to be sent. */
const WEBHOOK_DELIVERIES = `
  create table webhook_deliveries (
    id bigint generated always as identity,
    webhook_id bigint not null,
    position bigint, -- of the event; NULL for a test. No foreign key: a delivery may outlive its event
    type text not null,
    status text not null,
    attempts integer not null default 0, -- that have begun
    next_attempt_at timestamptz, -- during an attempt: the end of its lease
    last_attempt_at timestamptz,
    response_status integer,
    error text,
    created_at timestamptz not null default now(),
    constraint webhook_deliveries_pkey primary key (id),
    constraint webhook_deliveries_webhook_id_fkey foreign key (webhook_id) references webhooks (id) on delete cascade,
    -- An event is queued once for an endpoint; also what a replay compares with the feed.
    constraint webhook_deliveries_event unique (webhook_id, position),
    constraint webhook_deliveries_status_known check (status in ('pending', 'delivered', 'failed', 'dropped')),
    constraint webhook_deliveries_error_known check (
      error in ('http_status', 'timeout', 'dns', 'refused_address', 'connection', 'tls')),
    -- What is pending is due at some time, and nothing else is.
    constraint webhook_deliveries_due_pending check ((status = 'pending') = (next_attempt_at is not null))
  );
  -- What is due, endpoint by endpoint: a claim steps from one endpoint to the next.
  create index webhook_deliveries_claim on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'pending';
  -- How much is due.
  create index webhook_deliveries_due on webhook_deliveries (next_attempt_at, id) where status = 'pending';
  -- Lists of one endpoint, with a status and without.
  create index webhook_deliveries_list on webhook_deliveries (webhook_id, status, id);
  -- Retention.
  create index webhook_deliveries_age on webhook_deliveries (created_at)`;

/** Requests with an Idempotency-Key that were carried out, with their first responses. */
const IDEMPOTENT_REQUESTS = `
  create table idempotent_requests (
    caller text not null,
    token text not null, -- the Idempotency-Key, or the hash of a long one
    operation text not null,
    fingerprint bytea not null, -- SHA-256 of the input
    status smallint, -- of the response, as what follows; NULL until the transaction that carries it out commits
    location text,
    etag text,
    body text,
    created_at timestamptz not null default now(),
    -- What lets nothing be carried out twice.
    constraint idempotent_requests_pkey primary key (caller, token),
    constraint idempotent_requests_fingerprint check (octet_length(fingerprint) = 32),
    constraint idempotent_requests_status check (status between 100 and 599)
  );
  -- Retention.
  create index idempotent_requests_created_at on idempotent_requests (created_at)`;

/** Imports of pets by operators, with how far each has got. Kept for good: a file is imported once. */
const PET_IMPORTS = `
  create table pet_imports (
    token text not null,
    fingerprint bytea not null, -- SHA-256 of the file
    records bigint not null default 0, -- of the file that are done, those that were left out included
    animals bigint not null default 0, -- that were added
    started_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    finished_at timestamptz,
    constraint pet_imports_pkey primary key (token),
    constraint pet_imports_fingerprint check (octet_length(fingerprint) = 32),
    constraint pet_imports_counts check (animals between 0 and records)
  )`;

/** Regular work: when each job is due, and who runs it. */
const SCHEDULED_JOBS = `
  create table scheduled_jobs (
    name text not null,
    next_run_at timestamptz not null,
    lease text, -- of the run under way
    leased_until timestamptz, -- no other instance begins a run before
    failures integer not null default 0, -- in a row
    constraint scheduled_jobs_pkey primary key (name)
  )`;

/** The schema of the first release. */
export class InitialSchema1795478400000 extends ForwardOnly implements MigrationInterface {
  readonly name = 'InitialSchema1795478400000';

  async up(runner: QueryRunner): Promise<void> {
    const tables = [
      ...[API_KEYS, API_KEY_SECRETS, API_KEY_USAGE, API_KEY_ACTIVITY, API_KEY_AUDIT],
      ...[PETS, PET_PROFILES, CATEGORIES, ORDERS],
      ...[OUTBOX, EVENTS, EVENT_HEAD, INVENTORY],
      ...[WEBHOOKS, WEBHOOK_SECRETS, WEBHOOK_DELIVERIES],
      ...[IDEMPOTENT_REQUESTS, PET_IMPORTS, SCHEDULED_JOBS],
    ];
    for (const table of tables) await runner.query(table);
  }
}
