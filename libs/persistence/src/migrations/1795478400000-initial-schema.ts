import { SqlMigration } from './sql-migration.js';

/*
 * Each table in one piece with its constraints and indexes; it stands behind those that it refers to. PostgreSQL names
 * keys by itself: `pets_pkey`, `orders_key_id_fkey`.
 *
 * Check constraints repeat the rules of the domain as far as SQL can say them: they catch a faulty statement and rows
 * that are written by hand. Every time is the database's.
 */

const API_KEYS = `
  -- What a key may do, and until when.
  create table api_keys (
    id text primary key, -- "key_" and 16 characters; not the secret
    name text not null, -- for people; need not be unique
    plan text not null, -- the list of plans is the program's
    per_minute integer, -- these two of a plan to which each key brings its own
    per_day integer,
    scopes text[] not null,
    origins text[] not null default '{}' check (cardinality(origins) <= 20), -- sites of a publishable key; none of a secret one
    created_at timestamptz not null,
    expires_at timestamptz, -- NULL for never
    revoked_at timestamptz,
    constraint api_keys_own_limits check (num_nonnulls(per_minute, per_day) in (0, 2)),
    -- The form only: the list of scopes is the program's. The text of an array quotes an element that is empty or has a
    -- space, and writes NULL in capitals, so that the pattern refuses these, too.
    constraint api_keys_scopes_form check (
      cardinality(scopes) <= 64 and scopes::text ~ '^\\{[a-z0-9:._-]+(,[a-z0-9:._-]+)*\\}$')
  );

  -- By their hash, two of one key while a rotation overlaps. A secret itself is kept nowhere.
  create table api_key_secrets (
    hash text primary key, -- HMAC-SHA-256 with the pepper, base64url
    pepper_id text not null, -- which pepper the key was issued under
    key_id text not null references api_keys,
    prefix text not null, -- how the secret begins and ends, for people
    last_four text not null,
    created_at timestamptz not null,
    valid_until timestamptz -- NULL for the secret in force
  );
  create index api_key_secrets_key_id on api_key_secrets (key_id);
  -- A key has one secret in force, whatever happens to a rotation half-way.
  create unique index api_key_secrets_in_force on api_key_secrets (key_id) where valid_until is null;

  -- Requests of a key by day (UTC). Apart from the settings, so that counting never waits for an operator.
  create table api_key_usage (
    key_id text references api_keys,
    day date,
    requests bigint not null, -- all, refused ones included
    refused bigint not null, -- answered with 429
    primary key (key_id, day)
  );
  -- Retention.
  create index api_key_usage_day on api_key_usage (day);

  -- What changes with every use of a key.
  create table api_key_activity (
    key_id text primary key references api_keys,
    last_used_at timestamptz,
    banned_until timestamptz
  );

  -- Every change of a key. Takes new rows and nothing else, except from a superuser who disables the trigger.
  create table api_key_audit (
    id bigint generated always as identity primary key,
    key_id text not null references api_keys,
    at timestamptz not null,
    action text not null check (action in ('created', 'updated', 'rotated', 'revoked', 'unbanned')),
    done_by text not null,
    details jsonb not null
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
    -- Also lists without a filter, newest first.
    id bigint generated always as identity primary key check (id >= 1),
    name text not null,
    category_id bigint not null check (category_id >= 1), -- no foreign key: an id may be used before its category has a name
    status text not null check (status in ('available', 'pending', 'sold')),
    created_at timestamptz not null default now(),
    traits tsvector not null default '', -- what it is found by, made of name, category and profile
    constraint pets_name check (
      char_length(name) between 1 and 255 and name !~ '[\\x01-\\x1f\\x7f]' and name ~ '[^[:space:]]')
  );
  -- Lists of one status, newest first.
  create index pets_status_id on pets (status, id);
  -- Lists of one category, with a status and without (one range for each status); whether a category is in use.
  create index pets_category_status_id on pets (category_id, status, id);
  -- Searches: traits with what else a search is about, so that only rows which it finds are read. The id is there by the
  -- thousands, for the newest of many. A pending list would be read by each search (fastupdate).
  create index pets_traits on pets using gin (
    (traits || array_to_tsvector(array['status ' || status, '#' || (id >> 13)]))) with (fastupdate = off);

  -- What adopters look at of an animal. One that nobody has described has no row.
  create table pet_profiles (
    pet_id bigint primary key references pets on delete cascade,
    profile text not null check (profile ~ '^\\{.+\\}$' and octet_length(profile) <= 16384), -- JSON as it is returned
    updated_at timestamptz not null,
    words tsvector -- of the description, with the traits of the animal; NULL without a description
  );
  -- Searches by words.
  create index pet_profiles_words on pet_profiles using gin (
    (words || array_to_tsvector(array['#' || (pet_id >> 13)]))) with (fastupdate = off);

  -- Sources of animals, each with the import that writes them: one that has lost its turn finds the name of another.
  create table sources (
    source text primary key,
    run uuid not null,
    run_at timestamptz not null default now() -- when it began to write
  );

  -- Which animal a source means by a reference: a shelter program writes its whole stock anew each night.
  create table pet_sources (
    source text check (source ~ '^[a-z0-9-]{1,64}$'),
    reference text, -- the source's own name for the animal
    pet_id bigint not null unique references pets on delete cascade,
    -- What the animal was before an import sold it because its file lacked it; NULL as soon as anybody says otherwise.
    sold_from text check (sold_from in ('available', 'pending')),
    primary key (source, reference)
  );
  create function pet_sources_forget_sold_from() returns trigger language plpgsql as $$
  begin
    update pet_sources set sold_from = null where pet_id = new.id and sold_from is not null;
    return null;
  end $$;
  create trigger pets_forget_sold_from after update of status on pets
  for each row when (old.status = 'sold' and new.status <> 'sold') execute function pet_sources_forget_sold_from();

  -- Imports by operators without a source. Kept for good: a file is imported once.
  create table pet_imports (
    token text primary key,
    fingerprint bytea not null check (octet_length(fingerprint) = 32), -- SHA-256 of the file
    records bigint not null, -- of the file, that are done: those that were left out included
    animals bigint not null, -- that were added
    started_at timestamptz not null default now(),
    check (animals between 0 and records)
  );

  -- Names of the categories that pets refer to.
  create table categories (
    id bigint generated by default as identity primary key check (id >= 1), -- by default: a client may name the id
    name text not null,
    name_key text not null, -- the name without what does not distinguish two names, such as case
    created_at timestamptz not null default now(),
    constraint categories_name_key unique (name_key)
  );

  -- Adoption orders.
  create table orders (
    id bigint generated always as identity primary key, -- also lists of everything, newest first
    pet_id bigint not null, -- no foreign key: an order outlives a pet that is removed
    key_id text not null references api_keys, -- the key that placed it
    status text not null check (
      status in ('placed', 'approved', 'delivered', 'returned', 'cancelled', 'declined', 'expired')),
    reference text, -- the client's own
    reason text, -- of a decision against it
    placed_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    expires_at timestamptz,
    -- What is open expires, and nothing else does.
    constraint orders_expiry check ((status in ('placed', 'approved')) = (expires_at is not null))
  );
  -- A pet has one active order; also what an order has made of a pet.
  create unique index orders_active_pet on orders (pet_id) where status in ('placed', 'approved', 'delivered');
  -- Lists of one key, with a status and without, and how many orders of a key are open.
  create index orders_key on orders (key_id, id);
  create index orders_key_status on orders (key_id, status, id);
  -- Lists of one status and of one pet.
  create index orders_status on orders (status, id);
  create index orders_pet on orders (pet_id, id);
  -- What has expired.
  create index orders_due on orders (expires_at) where expires_at is not null;

  -- Requests with an Idempotency-Key that were carried out, with their first responses.
  create table idempotent_requests (
    caller text,
    token text, -- the Idempotency-Key, or the hash of a long one
    operation text not null,
    fingerprint bytea not null check (octet_length(fingerprint) = 32), -- SHA-256 of the input
    location text, -- of the response, as its body; NULL until the transaction that carries it out commits
    body text,
    created_at timestamptz not null default now(),
    -- What lets nothing be carried out twice.
    primary key (caller, token)
  );
  -- Retention.
  create index idempotent_requests_created_at on idempotent_requests (created_at)`;

const EVENTS = `
  -- Events without a position, written in the transaction of the change. A queue: the sequencer empties it.
  create table outbox (
    -- Without a cache: ids of different sessions are in the order in which they were drawn.
    id bigint generated always as identity (cache 1) primary key,
    type text not null,
    resource text not null,
    audience text, -- id of the only key that reads it beside those that see everything; NULL for all
    data text not null, -- JSON
    happened_at timestamptz not null default now()
  ) with (
    -- Removed rows must not slow down the search for the oldest one.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
  );

  -- The feed: events by position. Never changed, and removed only by age.
  create table events (
    position bigint primary key,
    type text not null,
    resource text not null,
    audience text,
    json text not null, -- the whole event, the same bytes for every reader
    happened_at timestamptz not null
  );
  -- Pages of some resources and of the orders of one key.
  create index events_resource on events (resource, position);
  create index events_audience on events (audience, position) where audience is not null;

  -- Where the feed begins and ends: one row.
  create table event_head (
    one boolean default true primary key check (one),
    position bigint not null, -- of the newest event
    first bigint not null, -- of the last event that is no longer kept
    check (first >= 0 and position >= first)
  );
  insert into event_head (position, first) values (0, 0);

  -- How many pets there are by category and status; category 0 is all of them. Kept by the sequencer.
  create table inventory (
    category_id bigint,
    status text,
    animals bigint not null,
    primary key (category_id, status)
  );
  -- Counters that have become 0, which are removed.
  create index inventory_empty on inventory (category_id) where animals = 0`;

const WEBHOOKS = `
  create table webhooks (
    id bigint generated always as identity primary key,
    key_id text references api_keys, -- NULL for one that was removed, until its deliveries are gone
    url text not null,
    types text[], -- NULL for all events that the key may read
    description text,
    status text not null check (status in ('enabled', 'disabled')),
    disabled_reason text check (disabled_reason in ('failing', 'gone')), -- NULL when it was disabled by hand
    failing_since timestamptz, -- since when every attempt has failed
    failed_attempts integer not null default 0, -- since then
    is_slow boolean not null default false, -- the last attempt took longer than a second
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- A key has one endpoint for a URL; also the list of a key. Removed ones do not meet: NULL equals nothing.
    unique (key_id, url),
    check (disabled_reason is null or status = 'disabled')
  );
  -- The endpoints that events are queued for, and whether there is any.
  create index webhooks_enabled on webhooks (id) where status = 'enabled';

  -- What deliveries are signed with: two secrets of one endpoint while a rotation overlaps.
  create table webhook_secrets (
    id bigint generated always as identity primary key,
    webhook_id bigint not null references webhooks on delete cascade,
    sealed bytea not null, -- AES-256-GCM under a key derived from the pepper
    created_at timestamptz not null default now(),
    valid_until timestamptz -- NULL for the current one
  );
  -- The secrets of one endpoint, oldest first.
  create index webhook_secrets_webhook on webhook_secrets (webhook_id, id);

  -- One event for one endpoint. Also the queue of what is to be sent.
  create table webhook_deliveries (
    id bigint generated always as identity primary key,
    webhook_id bigint not null references webhooks on delete cascade,
    position bigint, -- of the event; NULL for a test. No foreign key: a delivery may outlive its event
    type text not null,
    status text not null check (status in ('pending', 'delivered', 'failed', 'dropped')),
    attempts integer not null default 0, -- that have begun
    next_attempt_at timestamptz, -- during an attempt: the end of its lease
    last_attempt_at timestamptz,
    response_status integer,
    error text check (error in ('http_status', 'timeout', 'dns', 'refused_address', 'connection', 'tls')),
    created_at timestamptz not null default now(),
    -- An event is queued once for an endpoint; also what a replay compares with the feed.
    constraint webhook_deliveries_event unique (webhook_id, position),
    -- What is pending is due at some time, and nothing else is.
    constraint webhook_deliveries_due_pending check ((status = 'pending') = (next_attempt_at is not null))
  );
  -- What is due of one endpoint.
  create index webhook_deliveries_claim on webhook_deliveries (webhook_id, next_attempt_at, id) where status = 'pending';
  -- How much is due.
  create index webhook_deliveries_due on webhook_deliveries (next_attempt_at, id) where status = 'pending';
  -- Lists of one endpoint, with a status and without.
  create index webhook_deliveries_list on webhook_deliveries (webhook_id, status, id);
  -- Retention.
  create index webhook_deliveries_age on webhook_deliveries (created_at)`;

const SCHEDULED_JOBS = `
  -- Regular work: when the turn of the instance that has run each job is over.
  create table scheduled_jobs (
    name text primary key,
    next_run_at timestamptz not null
  )`;

/** The schema of the first release. */
export class InitialSchema1795478400000 extends SqlMigration {
  readonly name = 'InitialSchema1795478400000';
  protected readonly statements = [API_KEYS, PETS, EVENTS, WEBHOOKS, SCHEDULED_JOBS];
}
