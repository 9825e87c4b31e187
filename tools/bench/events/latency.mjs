import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONTENDERS, OURS } from '../http/contenders.mjs';
import { Stage } from '../http/stage.mjs';
import { OpenLoad } from '../overload/open-load.mjs';
import { restore, withClient } from '../shared/database.mjs';
import { table } from '../shared/table.mjs';

/** `node tools/bench/events/latency.mjs`: how long after the commit of a change its event is in the feed. */

const USAGE = `node tools/bench/events/latency.mjs [options]

  --rates a,b       creations a second, over HTTP at a fixed rate (50,300,1000)
  --seconds S       of each rate (15)
  --rounds N        interleaved rounds (3)
`;

const { values: options } = parseArgs({
  options: {
    rates: { type: 'string', default: '50,300,1000' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

const ROWS = 10_000;

/**
 * From the commit of the change to that of the batch with its event, both by the clock of PostgreSQL, which writes the
 * time of every commit down: nobody has to ask again and again.
 */
const LAGS = `
  select extract(epoch from pg_xact_commit_timestamp(events.xmin) - pg_xact_commit_timestamp(pets.xmin)) * 1000 as ms
  from events join pets on pets.id = ((events.json::json -> 'data') #>> '{pet,id}')::bigint
  where events.position > ${ROWS} order by ms`;

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const stage = await Stage.set({ rows: ROWS, withService: true });
  try {
    await noteCommits(stage);
    const service = await stage.start(CONTENDERS.find(({ name }) => name === OURS));
    const load = new OpenLoad(service.port, stage.requests(service, 'create'));
    await load.connect();
    const lags = new Map(options.rates.split(',').map((rate) => [Number(rate), []]));
    for (let round = 0; round <= Number(options.rounds); round++) {
      for (const [rate, all] of lags) {
        const found = await measure(stage, load, rate);
        // The first round only warms up.
        if (round > 0) all.push(...found);
      }
    }
    load.close();
    process.stdout.write(
      `${table(['creations/s', 'events', 'median ms', '99 % ms', 'most ms'], rowsOf(lags))}\n`,
    );
  } finally {
    await stage.clear();
  }
}

/** Takes effect when the server starts. */
async function noteCommits({ databaseUrl, servers }) {
  await withClient(databaseUrl, (client) => client.query('alter system set track_commit_timestamp = on'));
  await servers.postgres.kill();
  await servers.postgres.start();
}

async function measure({ databaseUrl, rows }, load, rate) {
  const { sent, latencies } = await load.run(rate, Number(options.seconds));
  const created = latencies.get(201)?.length ?? 0;
  if (created !== sent) throw new Error(`${created} of ${sent} creations succeeded`);
  await sleep(2_000);
  const found = await withClient(databaseUrl, async (client) => (await client.query(LAGS)).rows);
  if (found.length !== created) throw new Error(`${found.length} events of ${created} creations`);
  await restore(databaseUrl, rows);
  return found.map(({ ms }) => Number(ms));
}

function rowsOf(lags) {
  return [...lags].map(([rate, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (share) => (sorted[Math.ceil(sorted.length * share) - 1] ?? NaN).toFixed(0);
    return [rate, sorted.length.toLocaleString('en'), at(0.5), at(0.99), at(1)];
  });
}
