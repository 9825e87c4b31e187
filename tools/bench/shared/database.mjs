import { createRequire } from 'node:module';
import { Database, PostgresEventMaintenance } from '../../../libs/persistence/dist/index.js';
import { ANIMAL_COLUMNS } from './animals.mjs';

// The tools live outside the workspace's packages and borrow the driver from one of them.
const { Client } = createRequire(new URL('../../test-servers/package.json', import.meta.url))('pg');

/** Runs one session on a database. */
export async function withClient(url, work) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the tables of the service, by its own migrations. */
export async function migrate(url) {
  const database = await Database.open({ url });
  try {
    await database.migrate();
  } finally {
    await database.close();
  }
}

const AT_ONCE = 1_000_000;

/**
 * Fills the table of animals up to `rows`, continuing where it ends. The indexes beside the primary key are made
 * anew at the end, which is faster than keeping them up to date row by row.
 *
 * @param {(rows: number) => void} [onProgress]
 */
export async function fill(url, rows, onProgress = () => undefined) {
  await withClient(url, async (client) => {
    const { rows: found } = await client.query('select coalesce(max(id), 0) as last from pets');
    let last = Number(found[0].last);
    if (last >= rows) return;
    const { rows: indexes } = await client.query(
      `select indexname, indexdef from pg_indexes where tablename = 'pets' and indexname <> 'pets_pkey'`,
    );
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
    while (last < rows) {
      const end = Math.min(rows, last + AT_ONCE);
      await client.query(
        `insert into pets (id, name, category_id, status) overriding system value
         select id, ${ANIMAL_COLUMNS} from generate_series(${last + 1}, ${end}) as id`,
      );
      onProgress((last = end));
    }
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query(`select setval(pg_get_serial_sequence('pets', 'id'), ${rows})`);
    await client.query('vacuum (analyze) pets');
  });
}

/** When everything in a filled feed has happened. */
export const EVENT_TIME = '2026-11-21T19:12:07.123Z';

/** Fills the feed with one event for each animal, whose id is its position, and counts the animals. */
export async function fillFeed(url, rows) {
  await withClient(url, async (client) => {
    await client.query(
      `insert into events (position, type, resource, json, happened_at)
       select id, 'pet.created', 'pet', '{"id":' || id || ',"type":"pet.created","timestamp":"${EVENT_TIME}","data":{"pet":{"id":' || id
         || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}}}', now()
       from pets`,
    );
    await client.query('update event_head set first = 0, position = $1', [rows]);
    await client.query('vacuum (analyze) events');
  });
  await recount(url);
}

/** Counts the animals that were added past the service. */
export async function recount(url) {
  const database = await Database.open({ url });
  try {
    await new PostgresEventMaintenance(database.settings).recount();
  } finally {
    await database.close();
  }
}

/**
 * Puts everything back to where it was before a measurement that has written: animals above `rows`, changed and removed
 * ones, and their events. Sequencers of running servers wait meanwhile.
 *
 * @returns {Promise<number>} how many events had no place in the feed yet
 */
export async function restore(url, rows) {
  return withClient(url, async (client) => {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${SEQUENCER})`);
    const { rows: found } = await client.query('select count(*)::int as waiting from outbox');
    await client.query('truncate outbox');
    await client.query('delete from events where position > $1', [rows]);
    await client.query('update event_head set position = $1', [rows]);
    await client.query('truncate orders');
    await client.query('delete from pets where id > $1', [rows]);
    await client.query(
      `insert into pets (id, name, category_id, status) overriding system value
       select id, ${ANIMAL_COLUMNS} from generate_series(1, ${rows}) as id
       on conflict (id) do update set name = excluded.name, category_id = excluded.category_id, status = excluded.status
         where (pets.name, pets.category_id, pets.status) <> (excluded.name, excluded.category_id, excluded.status)`,
    );
    // Also counters of what only animals above had.
    await client.query('delete from inventory');
    await client.query(
      `insert into inventory (category_id, status, animals)
       select coalesce(category_id, 0), status, count(*) from pets group by grouping sets ((category_id, status), (status))`,
    );
    await client.query('commit');
    for (const table of ['pets', 'events', 'event_head', 'inventory', 'idempotent_requests'])
      await client.query(`vacuum (analyze) ${table}`);
    await client.query(`select setval(pg_get_serial_sequence('pets', 'id'), ${rows})`);
    return found[0].waiting;
  });
}

/** The lock of the service's sequencer. */
const SEQUENCER = '8099007544119226981';

/** Adds available animals above those that there are, for a measurement that uses them up; without events. */
export async function addAbove(url, rows, more) {
  await withClient(url, async (client) => {
    await client.query(
      `insert into pets (id, name, category_id, status) overriding system value
       select id, 'Spare', 1, 'available' from generate_series(${rows + 1}, ${rows + more}) as id`,
    );
    await client.query('vacuum (analyze) pets');
  });
}
