import { parseArgs } from 'node:util';
import { Database, PetStore } from '../../../libs/persistence/dist/index.js';
import { fill, migrate, withClient } from '../shared/database.mjs';
import { cpuOfTree } from '../shared/process-tree.mjs';
import { startServers } from '../shared/servers.mjs';
import { median, table } from '../shared/table.mjs';

/** `node tools/bench/data/pages.mjs`: what a page costs PostgreSQL, by size of the table and depth of the page. */

const USAGE = `node tools/bench/data/pages.mjs [options]

  --sizes a,b       rows in the table, growing (10000,1000000,10000000)
  --rounds N        interleaved rounds (5)
  --pages N         pages read at each position in each round (5000)
`;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000,10000000' },
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '5000' },
    help: { type: 'boolean', default: false },
  },
});

const LIMIT = 20;
const AT_A_TIME = 8;

/** So many neighbouring positions are read in turn: equal questions that wait together would be one. */
const NEIGHBOURS = 1_000;

/** Where in the list a page begins, on `rows` animals; the last pages end with the oldest of them. */
const POSITIONS = new Map([
  ['first', (rows, i) => rows + 1 - i],
  ['middle', (rows, i) => Math.floor(rows / 2) + i],
  ['last', (_rows, i) => LIMIT * 50 + i],
]);
/** One animal of forty is of category 7; all of them are pending. */
const FILTERS = new Map([
  ['all', {}],
  ['available', { status: 'available' }],
  ['sold', { status: 'sold' }],
  ['category', { categoryId: '7' }],
  ['category, status', { categoryId: '7', status: 'pending' }],
]);

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const servers = await startServers();
  const tables = [];
  try {
    for (const size of options.sizes.split(',').map(Number)) {
      const url = await filled(servers.postgres.url, size);
      tables.push({ size, database: await Database.open({ url }) });
    }
    // What filling has left to write would be written during the measurement.
    await withClient(servers.postgres.url, (client) => client.query('checkpoint'));
    const costs = await measure(tables, servers.postgres.pid);
    const rows = tables.flatMap(({ size }) =>
      [...FILTERS.keys()].map((filter) => [
        `${size.toLocaleString('en')}, ${filter}`,
        ...[...POSITIONS.keys()].map((position) => {
          const us = median(costs.get(place(size, filter, position)));
          const base = median(costs.get(place(tables[0].size, filter, 'first')));
          return `${us.toFixed(1)} (${(us / base).toFixed(2)})`;
        }),
      ]),
    );
    process.stdout.write(
      `CPU of PostgreSQL, µs per page of ${LIMIT} (as a multiple of the first page of the smallest table)\n\n` +
        `${table(['rows, filter', ...POSITIONS.keys()], rows)}\n`,
    );
  } finally {
    for (const { database } of tables) await database.close();
    await servers.stop();
  }
}

/** Makes a database of its own with so many animals; its URL. */
async function filled(server, size) {
  const url = new URL(server);
  url.pathname = `/pets_${size}`;
  await withClient(server, (client) => client.query(`create database pets_${size} template template0`));
  await migrate(url.href);
  const since = performance.now();
  await fill(url.href, size);
  const seconds = (performance.now() - since) / 1000;
  process.stderr.write(`${size.toLocaleString('en')} rows after ${seconds.toFixed(0)} s\n`);
  return url.href;
}

/** Costs by size, filter and position, round by round; everything takes its turn in every round. */
async function measure(tables, postgres) {
  const costs = new Map();
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [name, filter] of FILTERS) {
      for (const [position, before] of POSITIONS) {
        for (const { size, database } of tables) {
          const us = await costOf(new PetStore(database), postgres, (i) => ({
            limit: LIMIT,
            ...filter,
            before: String(before(size, i % NEIGHBOURS)),
          }));
          const key = place(size, name, position);
          // The first round only warms up.
          if (round === 0) costs.set(key, []);
          else costs.get(key).push(us);
        }
      }
    }
  }
  return costs;
}

function place(size, filter, position) {
  return `${size} ${filter} ${position}`;
}

async function costOf(pets, postgres, requestOf) {
  const pages = Number(options.pages);
  let left = pages;
  const before = cpuOfTree(postgres);
  const reader = async () => {
    while (left-- > 0) {
      const request = requestOf(left);
      const page = await pets.list(request);
      const { length } = JSON.parse(Buffer.from(page.json));
      if (length !== request.limit) throw new Error(`a page of ${length} animals`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, reader));
  return (cpuOfTree(postgres) - before) / pages;
}
