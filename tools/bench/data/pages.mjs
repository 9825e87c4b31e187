import { parseArgs } from 'node:util';
import { openDatabase } from '../../../libs/persistence/dist/index.js';
import { fill, migrate } from '../shared/database.mjs';
import { cpuOfTree } from '../shared/process-tree.mjs';
import { startServers } from '../shared/servers.mjs';
import { median, table } from '../shared/table.mjs';

/** `node tools/bench/data/pages.mjs`: what a page costs PostgreSQL, by size of the table and depth of the page. */

const USAGE = `node tools/bench/data/pages.mjs [options]

  --sizes a,b       rows in the table, growing (10000,1000000,10000000)
  --rounds N        interleaved rounds (5)
  --pages N         pages read at each position in each round (2000)
`;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000,10000000' },
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '2000' },
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
  ['last', (_rows, i) => LIMIT * 10 + i],
]);
const FILTERS = [undefined, 'available', 'sold'];

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const servers = await startServers();
  try {
    await migrate(servers.postgres.url);
    const lines = [];
    for (const size of options.sizes.split(',').map(Number)) {
      const since = performance.now();
      await fill(servers.postgres.url, size);
      const seconds = (performance.now() - since) / 1000;
      process.stderr.write(`${size.toLocaleString('en')} rows after ${seconds.toFixed(0)} s\n`);
      lines.push(...(await measureSize(servers.postgres, size)));
    }
    const [{ costs: base }] = lines;
    const rows = lines.map(({ size, filter, costs }) => [
      `${size.toLocaleString('en')}, ${filter ?? 'all'}`,
      ...[...costs].map(([name, us]) => `${us.toFixed(0)} (${(us / base.get(name)).toFixed(2)})`),
    ]);
    process.stdout.write(
      `CPU of PostgreSQL, µs per page of ${LIMIT} (as a multiple of the first row)\n\n` +
        `${table(['rows, filter', ...POSITIONS.keys()], rows)}\n`,
    );
  } finally {
    await servers.stop();
  }
}

/** The median cost of a page for each filter and position. */
async function measureSize({ url, pid }, size) {
  const database = await openDatabase({ url });
  try {
    const rounds = new Map();
    for (let round = 0; round <= Number(options.rounds); round++) {
      for (const filter of FILTERS) {
        for (const [name, before] of POSITIONS) {
          const us = await costOf(database.pets, pid, (i) => ({
            limit: LIMIT,
            status: filter,
            before: String(before(size, i % NEIGHBOURS)),
          }));
          // The first round only warms up.
          const key = `${filter} ${name}`;
          if (round === 0) rounds.set(key, []);
          else rounds.get(key).push(us);
        }
      }
    }
    return FILTERS.map((filter) => ({
      size,
      filter,
      costs: new Map([...POSITIONS.keys()].map((name) => [name, median(rounds.get(`${filter} ${name}`))])),
    }));
  } finally {
    await database.close();
  }
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
