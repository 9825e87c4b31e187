import { jsonObject } from '../sql/json.js';
import { PET_JSON } from './pet.schema.js';

/*
 * Statements of an import. A file is staged in temporary tables of its session, so that nothing is left of one that is
 * killed, and what it changes is applied by a few statements, so that the rows of pets are locked for a short time.
 */

export const STAGING = `
  -- References of the file; gone are animals that it shows as no longer for adoption.
  create temporary table stock_seen (reference text primary key, gone boolean not null);
  create temporary table stock_changes (
    place bigint generated always as identity primary key, -- order of ids and events
    kind text not null, -- created, updated, deleted
    reference text,
    pet_id bigint, -- NULL until it is created
    name text, category_id bigint, category_name text, status text, profile text, -- as they are to be
    old_name text, old_status text, old_profile text, -- as they were when this was decided
    record text -- of the file, from which it is decided anew; NULL for an animal that is missing there
  );
  create temporary table stock_events (place bigint, step int, type text, data text)`;

/** Takes references and whether they are gone; those that were not seen before. */
export const SEE = `
  insert into stock_seen (reference, gone) select * from unnest($1::text[], $2::boolean[])
  on conflict do nothing returning reference`;

const PET_STATE = `pets.id, pets.name, pets.category_id as "categoryId", pets.status, coalesce(pet_profiles.profile, '{}') as profile`;
/** Takes the statuses of active orders as $1. */
const IS_HELD = 'exists (select from orders where pet_id = pets.id and orders.status = any ($1))';

/** Takes statuses of active orders, the source and references. */
export const KNOWN = `
  select reference, ${PET_STATE}, ${IS_HELD} as "isHeld"
  from unnest($3::text[]) wanted (reference)
    join pet_sources using (reference) join pets on pets.id = pet_id left join pet_profiles using (pet_id)
  where source = $2`;

export const STAGE = `
  insert into stock_changes (kind, reference, pet_id, name, category_id, category_name, status, profile, old_name,
    old_status, old_profile, record)
  select kind, reference, id, name, "categoryId", "categoryName", status, profile, "oldName", "oldStatus", "oldProfile",
    record
  from json_to_recordset($1::json) changed (kind text, reference text, id bigint, name text, "categoryId" bigint,
    "categoryName" text, status text, profile text, "oldName" text, "oldStatus" text, "oldProfile" text, record text)`;

/** Animals of the source $2 that are not in the file, or gone. */
const OF_SOURCE = `
  from (
    select source.reference, ${PET_STATE}, ${IS_HELD} as held, coalesce(gone, true) as missing
    from pet_sources source join pets on pets.id = pet_id left join pet_profiles using (pet_id)
      left join stock_seen using (reference)
    where source = $2
  ) pet`;

export const COUNT_MISSING = `
  select count(*)::int as known, count(*) filter (where status <> 'sold')::int as unsold,
    count(*) filter (where missing)::int as missing,
    count(*) filter (where missing and not held)::int as removable,
    count(*) filter (where missing and not held and status <> 'sold')::int as sellable
  ${OF_SOURCE}`;

/** References of missing animals that an order holds, which would be sold or deleted otherwise. */
export const HELD_MISSING = `select reference, status ${OF_SOURCE} where missing and held and (status <> 'sold' or $3) order by id`;

/** Takes statuses of active orders, the source, and whether animals are deleted; else they are sold. */
export const STAGE_MISSING = `
  insert into stock_changes (kind, reference, pet_id, name, category_id, status, old_name, old_status, old_profile, profile)
  select case when $3 then 'deleted' else 'updated' end, reference, id, name, "categoryId",
    case when $3 then status else 'sold' end, name, status, profile, profile
  ${OF_SOURCE} where missing and not held and (status <> 'sold' or $3) order by id`;

/** Pets and their ids: both are given in the order of the file. */
export const CREATE = `
  with wanted as (
    select place, row_number() over (order by place) as at from stock_changes where kind = 'created' and pet_id is null
  ), added as (
    insert into pets (name, category_id, status)
    select name, category_id, status from stock_changes where kind = 'created' and pet_id is null order by place
    returning id
  )
  update stock_changes change set pet_id = numbered.id
  from wanted, (select id, row_number() over (order by id) as at from added) numbered
  where change.place = wanted.place and wanted.at = numbered.at`;

export const CREATE_PROFILES = `
  insert into pet_profiles (pet_id, profile, updated_at)
  select pet_id, profile, now() from stock_changes where kind = 'created' and profile <> '{}' order by pet_id
  on conflict do nothing`;

export const CREATE_SOURCES = `
  insert into pet_sources (source, reference, pet_id)
  select $1, reference, pet_id from stock_changes where kind = 'created' order by reference on conflict do nothing`;

/** In the order of the ids: two transactions that lock several pets do not wait for each other. */
export const LOCK = `
  select count(*) from (
    select from pets join stock_changes on pet_id = pets.id where kind <> 'created' order by pets.id for update of pets
  ) locked`;

/** Takes statuses of active orders; changes that were decided on what is not true any more, with what is. */
export const STALE = `
  select place, record, reference, ${PET_STATE}, ${IS_HELD} as "isHeld", kind, change.status as "newStatus"
  from stock_changes change left join pets on pets.id = change.pet_id
    left join pet_profiles on pet_profiles.pet_id = pets.id
  where kind <> 'created' and (
    pets.id is null or pets.name <> old_name or pets.status <> old_status or coalesce(pet_profiles.profile, '{}') <> old_profile
    or ((kind = 'deleted' or change.status <> old_status) and ${IS_HELD}))
  order by place`;

export const UNSTAGE = `
  with gone as (delete from stock_events where place = $1) delete from stock_changes where place = $1`;

export const UPDATE = `
  update pets set name = change.name, status = change.status from stock_changes change
  where kind = 'updated' and pets.id = pet_id and (change.name <> old_name or change.status <> old_status)`;

export const UPDATE_PROFILES = `
  insert into pet_profiles (pet_id, profile, updated_at)
  select pet_id, profile, now() from stock_changes
  where kind = 'updated' and profile <> old_profile and profile <> '{}' order by pet_id
  on conflict (pet_id) do update set profile = excluded.profile, updated_at = excluded.updated_at`;

export const EMPTY_PROFILES = `
  delete from pet_profiles using stock_changes change
  where kind = 'updated' and pet_profiles.pet_id = change.pet_id and change.profile = '{}'`;

export const DELETE = `delete from pets using stock_changes where kind = 'deleted' and pets.id = pet_id`;

const pet = { member: 'pet', kind: 'json', value: PET_JSON } as const;
const PREVIOUS = `'{' || concat_ws(',', case when old_name <> name then '"name":' || to_json(old_name) end,
  case when old_status <> status then '"status":"' || old_status || '"' end) || '}'`;

/** Events of the changes behind a place, a pet's before its profile's: written down before rows are locked. */
export const STAGE_EVENTS = `
  insert into stock_events (place, step, type, data)
  select place, 1, 'pet.' || kind, case kind
    when 'updated' then ${jsonObject([pet, { member: 'previous', kind: 'json', value: PREVIOUS }])}
    else ${jsonObject([pet])} end
  from (select *, pet_id as id from stock_changes where place > $1) change
  where kind <> 'updated' or name <> old_name or status <> old_status
  union all
  select place, 2, 'pet.profile_updated', ${jsonObject([pet, { member: 'profile', kind: 'json', value: 'profile' }])}
  from (select *, pet_id as id from stock_changes where place > $1) change
  where kind <> 'deleted' and profile <> coalesce(old_profile, '{}')`;

export const LAST_PLACE = 'select coalesce(max(place), 0) as last from stock_changes';

export const WRITE_EVENTS = `
  insert into outbox (type, resource, data) select type, 'pet', data from stock_events order by place, step`;

/** Takes a name and its key; no row when the id or the name is another category's. */
export const ADD_CATEGORY = `
  insert into categories (name, name_key) values ($1, $2) on conflict do nothing
  returning id, exists (select from pets where category_id = categories.id) as "isInUse"`;
