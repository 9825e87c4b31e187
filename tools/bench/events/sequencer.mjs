import { parseArgs } from 'node:util';
import { DeliverySignal } from '../../../libs/webhook/dist/index.js';
import { Database, SequencingStore, UnitOfWork } from '../../../libs/persistence/dist/index.js';
import { fill, migrate, withClient } from '../shared/database.mjs';
import { cpuOfTree } from '../shared/process-tree.mjs';
import { startServers } from '../shared/servers.mjs';
import { median, table } from '../shared/table.mjs';

/** `node tools/bench/events/sequencer.mjs`: how fast a full outbox is emptied, and what an event costs whom. */

const USAGE = `node tools/bench/events/sequencer.mjs [options]

  --events N        events in the outbox at the beginning of each round (100000)
  --batches a,b     events in one transaction (1000)
  --rounds N        interleaved rounds after a first one that only warms up (5)
`;

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    batches: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

/** Animals that the events are about: each of them is put into the next category and the next status again and again. */
const PETS = 10_000;

/** What each kind of event makes the sequencer do: count, and not count. */
const KINDS = new Map([
  ['created', `'{"pet":' || pet || '}'`],
  [
    'updated, counted',
    `'{"pet":' || pet || ',"previous":{"categoryId":' || category_id || ',"status":"pending"}}'`,
  ],
  ['updated, not counted', `'{"pet":' || pet || ',"previous":{"name":"Max"}}'`],
]);

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const servers = await startServers();
  const { url, pid } = servers.postgres;
  try {
    await migrate(url);
    await fill(url, PETS);
    const database = await Database.open({ url });
    try {
      const rows = await measure(database, url, pid);
      process.stdout.write(
        `${table(['events, batch', 'events/s', 'µs of this process', 'µs of PostgreSQL'], rows)}\n`,
      );
    } finally {
      await database.close();
    }
  } finally {
    await servers.stop();
  }
}

async function measure(database, url, postgres) {
  const batches = options.batches.split(',').map(Number);
  const found = new Map();
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const kind of KINDS.keys()) {
      for (const batch of batches) {
        await refill(url, kind);
        const figures = await drain(database, postgres, batch);
        const name = `${kind}, ${batch.toLocaleString('en')}`;
        // The first round only warms up.
        if (round === 0) found.set(name, []);
        else found.get(name).push(figures);
      }
    }
  }
  return [...found].map(([name, rounds]) => [
    name,
    Math.round(median(rounds.map(({ perSecond }) => perSecond))).toLocaleString('en'),
    median(rounds.map(({ own }) => own)).toFixed(1),
    median(rounds.map(({ server }) => server)).toFixed(1),
  ]);
}

/** Puts the outbox and the feed back to where they were, and so many events into the outbox. */
async function refill(url, kind) {
  await withClient(url, async (client) => {
    await client.query('truncate outbox, events, inventory');
    await client.query('update event_head set position = 0, first = 0');
    await client.query(
      `insert into outbox (type, resource, data)
       select $1, 'pet', ${KINDS.get(kind)}
       from (
         select n, category_id, '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id
           || ',"status":"' || status || '"}' as pet
         from generate_series(1, ${Number(options.events)}) n join pets on id = n % ${PETS} + 1
       ) some_pets order by n`,
      [kind === 'created' ? 'pet.created' : 'pet.updated'],
    );
    // The table is as large as the service's usually is, and its statistics are as they mostly are: of an empty one.
    await client.query('checkpoint');
  });
}

async function drain(database, postgres, batch) {
  const events = Number(options.events);
  const before = { at: performance.now(), server: cpuOfTree(postgres), own: process.cpuUsage() };
  const sequencing = new SequencingStore(new UnitOfWork(database), new DeliverySignal());
  let sequenced = 0;
  for (let hasMore = true; hasMore;) {
    const outcome = await sequencing.sequence(batch);
    if (outcome.isBusy) throw new Error('another sequencer is at work');
    sequenced += outcome.sequenced;
    hasMore = outcome.hasMore;
  }
  const seconds = (performance.now() - before.at) / 1_000;
  if (sequenced !== events) throw new Error(`${sequenced} events were sequenced, not ${events}`);
  const own = process.cpuUsage(before.own);
  return {
    perSecond: events / seconds,
    own: (own.user + own.system) / events,
    server: (cpuOfTree(postgres) - before.server) / events,
  };
}
