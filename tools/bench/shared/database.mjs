import { createRequire } from 'node:module';
import { openDatabase } from '../../../libs/persistence/dist/index.js';
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
  const database = await openDatabase({ url });
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

/** Removes what the creations of a run have added. */
export async function removeAbove(url, rows) {
  await withClient(url, async (client) => {
    await client.query(`delete from pets where id > ${rows}`);
    await client.query('vacuum (analyze) pets');
    await client.query(`select setval(pg_get_serial_sequence('pets', 'id'), ${rows})`);
  });
}
