import { jsonObject } from '../sql/json.js';
import { PET_JSON } from './pet.schema.js';

/*
 * Statements of an import. A file is staged in a temporary table, of which nothing is left when the session ends, and
 * applied by a few statements. All that can be written before the rows of animals are locked is: measured on a busy machine,
 * 100,000 changed animals are locked for 6 s, and would be for 4 s more if their events came behind the lock.
 */

export const STAGING = `
  create temporary table staged (
    place bigint generated always as identity primary key, -- order of ids and events
    kind text not null, -- created, updated, deleted; unchanged; gone: the file shows it as no longer for adoption
    reference text,
    pet_id bigint, -- NULL until it is created
    name text, category_id bigint, category_name text, status text, profile text, -- as they are to be
    old_name text, old_status text, is_described boolean, -- whether the profile changes
    version text, -- of what this was decided on
    record text -- of the file, from which it is decided anew; NULL for an animal that is missing there
  )`;

/** Which rows an animal is made of: whoever changes it makes other ones. */
const VERSION = `pets.xmin || '.' || coalesce(pet_profiles.xmin::text, '')`;
const PET_STATE = `
  pets.id, pets.name, pets.category_id as "categoryId", pets.status, coalesce(pet_profiles.profile, '{}') as profile,
  ${VERSION} as version, exists (select from orders where pet_id = pets.id and orders.status = any ($1)) as "isHeld"`;

/** Takes statuses of active orders, the source and references. */
export const KNOWN = `
  select reference, ${PET_STATE}
  from unnest($3::text[]) wanted (reference)
    join pet_sources using (reference) join pets on pets.id = pet_id left join pet_profiles using (pet_id)
  where source = $2`;

export const STAGE = `
  insert into staged (kind, reference, pet_id, name, category_id, category_name, status, profile, old_name, old_status,
    is_described, version, record)
  select kind, reference, id, name, "categoryId", "categoryName", status, profile, "oldName", "oldStatus", "isDescribed",
    version, record
  from json_to_recordset($1::json) change (kind text, reference text, id bigint, name text, "categoryId" bigint,
    "categoryName" text, status text, profile text, "oldName" text, "oldStatus" text, "isDescribed" boolean, version text,
    record text)`;

/** Animals of the source $2 that are not in the file, or gone. */
const OF_SOURCE = `
  from (
    select source.reference, ${PET_STATE}, coalesce(kind = 'gone', true) as missing
    from pet_sources source join pets on pets.id = pet_id left join pet_profiles using (pet_id)
      left join staged on staged.reference = source.reference
    where source = $2
  ) pet`;

export const COUNT_MISSING = `
  select count(*)::int as known, count(*) filter (where status <> 'sold')::int as unsold,
    count(*) filter (where missing)::int as missing,
    count(*) filter (where missing and not "isHeld")::int as removable,
    count(*) filter (where missing and not "isHeld" and status <> 'sold')::int as sellable
  ${OF_SOURCE}`;

/** References of missing animals that an order holds, which would be sold or deleted otherwise. */
export const HELD_MISSING = `
  select reference, status ${OF_SOURCE} where missing and "isHeld" and (status <> 'sold' or $3) order by id`;

/** Takes statuses of active orders, the source, and whether animals are deleted; else they are sold. */
export const STAGE_MISSING = `
  insert into staged (kind, pet_id, name, category_id, status, old_name, old_status, version, profile)
  select case when $3 then 'deleted' else 'updated' end, id, name, "categoryId",
    case when $3 then status else 'sold' end, name, status, version, profile
  ${OF_SOURCE} where missing and not "isHeld" and (status <> 'sold' or $3) order by id`;

export const WANTED_CATEGORIES =
  "select distinct category_name as name from staged where category_id is null and kind = 'created'";

/** Takes a name and its key; no row when the id or the name is another category's. */
export const ADD_CATEGORY = `
  insert into categories (name, name_key) values ($1, $2) on conflict do nothing
  returning id, exists (select from pets where category_id = categories.id) as "isInUse"`;

/** Animals and their ids: both are given in the order of the file. */
export const CREATE = `
  with wanted as (
    select place, row_number() over (order by place) as at from staged where kind = 'created' and pet_id is null
  ), added as (
    insert into pets (name, category_id, status)
    select name, category_id, status from staged where kind = 'created' and pet_id is null order by place
    returning id
  )
  update staged set pet_id = numbered.id
  from wanted, (select id, row_number() over (order by id) as at from added) numbered
  where staged.place = wanted.place and wanted.at = numbered.at`;

export const CREATE_PROFILES = `
  insert into pet_profiles (pet_id, profile, updated_at)
  select pet_id, profile, now() from staged where kind = 'created' and profile <> '{}' and place > $1 order by pet_id`;

export const CREATE_SOURCES = `
  insert into pet_sources (source, reference, pet_id)
  select $2, reference, pet_id from staged where kind = 'created' and place > $1 order by reference`;

const pet = { member: 'pet', kind: 'json', value: PET_JSON } as const;
const PREVIOUS = `'{' || concat_ws(',', case when old_name <> name then '"name":' || to_json(old_name) end,
  case when old_status <> status then '"status":"' || old_status || '"' end) || '}'`;

/** Events of the changes behind a place, an animal's before its profile's. */
export const WRITE_EVENTS = `
  insert into outbox (type, resource, data)
  select type, 'pet', data from (
    select place, 1 as step, 'pet.' || kind as type, case kind
      when 'updated' then ${jsonObject([pet, { member: 'previous', kind: 'json', value: PREVIOUS }])}
      else ${jsonObject([pet])} end as data
    from (select *, pet_id as id from staged where place > $1) change
    where kind in ('created', 'deleted') or (kind = 'updated' and (name <> old_name or status <> old_status))
    union all
    select place, 2, 'pet.profile_updated', ${jsonObject([pet, { member: 'profile', kind: 'json', value: 'profile' }])}
    from (select *, pet_id as id from staged where place > $1) change
    where (kind = 'created' and profile <> '{}') or (kind = 'updated' and is_described)
  ) event
  order by place, step`;

/** In the order of the ids: two transactions that lock several animals do not wait for each other. */
export const LOCK = `
  select count(*) from (
    select from pets join staged on pet_id = pets.id where kind in ('updated', 'deleted') order by pets.id for update of pets
  ) locked`;

/** Changes that were decided on what is not true any more, with what is. Takes statuses of active orders. */
export const STALE = `
  select place, pet_id as "petId", record, reference, ${PET_STATE}
  from staged left join pets on pets.id = staged.pet_id left join pet_profiles using (pet_id)
  where kind in ('updated', 'deleted') and ${VERSION} is distinct from version
  order by place`;

/**
 * Takes back changes of the places $1, and the events of the animals $2, of which only this transaction has written some. The id
 * is at the beginning of their data.
 */
export const UNSTAGE = `
  with taken as (delete from staged where place = any ($1::bigint[]))
  delete from outbox
  where xmin = pg_current_xact_id()::xid and resource = 'pet'
    and split_part(substr(data, ${'{"pet":{"id":'.length + 1}, 20), ',', 1) = any ($2::text[])`;

export const LAST_PLACE = 'select coalesce(max(place), 0) as last from staged';

export const UPDATE = `
  update pets set name = staged.name, status = staged.status from staged
  where kind = 'updated' and pets.id = pet_id and (staged.name <> old_name or staged.status <> old_status)`;

export const UPDATE_PROFILES = `
  update pet_profiles set profile = staged.profile, updated_at = now() from staged
  where kind = 'updated' and is_described and pet_profiles.pet_id = staged.pet_id`;

/** Of animals that nobody had described. */
export const ADD_PROFILES = `
  insert into pet_profiles (pet_id, profile, updated_at)
  select pet_id, profile, now() from staged where kind = 'updated' and is_described and version like '%.'`;

export const DELETE = `delete from pets using staged where kind = 'deleted' and pets.id = pet_id`;
