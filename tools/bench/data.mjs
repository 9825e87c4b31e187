import { EventMaintenance } from '../../libs/persistence/dist/index.js';
import { traitsWith } from '../../libs/persistence/dist/pets/pet-traits.sql.js';
import { waitFor } from '../testing/dist/index.js';

export const STATUSES = ['available', 'pending', 'sold'];
/** Of ten animals six are available, three pending and one sold. */
const STATUS_OF_TEN = [0, 0, 1, 0, 2, 0, 1, 0, 1, 0].map((index) => STATUSES[index]);
/** The category of animals that measurements create, change or remove; the others have 1 to 40. */
export const NEW_CATEGORY = 50;
/** When everything in the filled feed happened. */
export const EVENT_TIME = '2026-11-21T19:12:07.123Z';

/** The animal with this id. It is the same in every run, so that every response can be foretold. */
export function animal(id) {
  const name = id % 4 === 0 ? `Ñandú "${id}"` : `Rex ${id}`;
  return { id, name, categoryId: (id % 40) + 1, status: STATUS_OF_TEN[id % 10] };
}

const SIZES = ['small', 'medium', 'large', 'xlarge'];

/** The profile of an animal: of ten five are dogs and four cats. */
export function profile(id) {
  return {
    species: id % 10 < 5 ? 'dog' : id % 10 < 9 ? 'cat' : 'rabbit',
    size: SIZES[Math.floor(id / 10) % SIZES.length],
    description: `Loves water and walk${id % 7} number ${id}.`,
    goodWith: { children: Math.floor(id / 40) % 3 !== 0, cats: id % 2 === 0 },
  };
}

/** Whether the search of the cases finds an animal. */
export function isWanted(id) {
  const { species, size, goodWith } = profile(id);
  return species === 'dog' && ['small', 'medium'].includes(size) && goodWith.children;
}

/** The event of its creation. */
export function creation(id) {
  return { id, type: 'pet.created', timestamp: EVENT_TIME, data: { pet: animal(id) } };
}

/**
 * Makes the tables by the migrations of the service, `rows` animals, an event for each, and the inventory.
 *
 * @param {import('../../libs/persistence/dist/index.js').Database} database
 */
export async function fill(database, rows) {
  await database.migrate();
  const { manager } = database;
  const ids = Array.from({ length: rows }, (_, index) => index + 1);
  await manager.query(
    `insert into pets (id, name, category_id, status, traits) overriding system value
     select id, name, "categoryId", status, traits
     from json_to_recordset($1) as pet (id bigint, name text, "categoryId" bigint, status text, traits tsvector)`,
    [JSON.stringify(ids.map((id) => ({ ...animal(id), traits: searched(id).traits })))],
  );
  await manager.query(
    `insert into pet_profiles (pet_id, profile, updated_at, words)
     select id, profile, now(), words from json_to_recordset($1) as described (id bigint, profile text, words tsvector)`,
    [
      JSON.stringify(
        ids.map((id) => ({ id, profile: JSON.stringify(profile(id)), words: searched(id).words })),
      ),
    ],
  );
  // What the peers search.
  for (const statement of [
    'create table bench_profiles as select pet_id, profile::jsonb from pet_profiles order by pet_id',
    'alter table bench_profiles add primary key (pet_id)',
    'create index on bench_profiles using gin (profile jsonb_path_ops)',
    'vacuum (analyze) bench_profiles',
  ])
    await manager.query(statement);
  await manager.query(`select setval(pg_get_serial_sequence('pets', 'id'), $1)`, [rows]);
  await manager.query(
    `insert into events (position, type, resource, json, happened_at)
     select position, 'pet.created', 'pet', json, now() from unnest($1::text[]) with ordinality as event (json, position)`,
    [ids.map((id) => JSON.stringify(creation(id)))],
  );
  await manager.query('update event_head set first = 0, position = $1', [rows]);
  await manager.query('vacuum (analyze) pets, pet_profiles, events');
  await new EventMaintenance(database.settings).recount();
}

const searched = (id) => traitsWith(animal(id), JSON.stringify(profile(id)));

/** Adds available animals for one measurement to use up, without events. @returns the id of the first */
export async function addSpares({ manager }, count) {
  const [{ first }] = await manager.query(
    `with added as (insert into pets (name, category_id, status) select 'Spare', $1, 'available'
       from generate_series(1, $2::int) returning id) select min(id)::int as first from added`,
    [NEW_CATEGORY, count],
  );
  await manager.query('vacuum (analyze) pets');
  return first;
}

/** Waits until all events are in the feed: what is left of one measurement must not burden the next. */
export async function untilSequenced({ manager }) {
  const isSequenced = async () => {
    const [{ waiting }] = await manager.query('select exists (select from outbox) as waiting');
    return !waiting;
  };
  await waitFor(isSequenced, 60_000);
}
