import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../../test-servers/dist/index.js';
import { table } from '../shared/table.mjs';
import {
  addEndpoints,
  ask,
  environmentOn,
  issueKey,
  queue,
  received,
  startReceivers,
  startService,
  stopService,
  until,
} from './service.mjs';

/** `node tools/bench/webhooks/run.mjs`: how fast webhooks are delivered, and what a killed sender costs. */

const USAGE = `node tools/bench/webhooks/run.mjs [options]

  --endpoints N     that get every event (10)
  --events N        queued at once (2000)
  --rate N          changes a second while latency is measured (50)
  --seconds S       of that (20)
  --kills N         rounds in which the service is killed while it delivers (3)
`;

const { values: options } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '10' },
    events: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    kills: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

const ENDPOINTS = Number(options.endpoints);

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const postgres = await startTestPostgres();
  const environment = environmentOn(postgres.url);
  const [receivers, ports] = await startReceivers(ENDPOINTS);
  let service;
  try {
    service = await startService(environment);
    const key = issueKey(environment);
    await addEndpoints(postgres.url, key.id, ports);
    await queue(postgres.url, 200);
    await received(receivers, 200 * ENDPOINTS);
    const rows = [
      await measureThroughput(postgres.url, receivers),
      ...(await measureLatency(service, key.key, receivers)),
    ];
    for (let round = 1; round <= Number(options.kills); round++) {
      await queue(postgres.url, Number(options.events));
      await until(receivers, 'count', ({ count }) => count > Number(options.events));
      service.child.kill('SIGKILL');
      await once(service.child, 'exit');
      service = await startService(environment);
      rows.push(await afterKill(round, receivers));
    }
    process.stdout.write(`${table(['question', 'result'], rows)}\n`);
  } finally {
    if (service !== undefined) await stopService(service);
    receivers.disconnect();
    await postgres.stop();
  }
}

async function measureThroughput(url, receivers) {
  const count = Number(options.events);
  await queue(url, count);
  const times = (await received(receivers, count * ENDPOINTS)).map(({ at }) => at).sort((a, b) => a - b);
  const seconds = (times.at(-1) - times[0]) / 1_000;
  return [
    `deliveries a second, ${count} events to ${ENDPOINTS} endpoints`,
    Math.round(times.length / seconds),
  ];
}

async function measureLatency({ origin }, key, receivers) {
  const total = Number(options.rate) * Number(options.seconds);
  for (let n = 0; n < total; n++) {
    void fetch(`${origin}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    }).then((response) => response.arrayBuffer());
    await sleep(1_000 / Number(options.rate));
  }
  const all = (await received(receivers, total * ENDPOINTS)).map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => `${all[Math.min(all.length - 1, Math.floor(all.length * share))]} ms`;
  return [
    [`commit to receipt, ${options.rate} changes a second: median`, at(0.5)],
    ['commit to receipt: 99 %', at(0.99)],
  ];
}

async function afterKill(round, receivers) {
  const due = Number(options.events) * ENDPOINTS;
  const isThere = new Set();
  let repeated = 0;
  for (const end = Date.now() + 90_000; isThere.size < due; await sleep(200)) {
    if (Date.now() > end) throw new Error(`${due - isThere.size} deliveries were lost.`);
    for (const { endpoint, id } of (await ask(receivers, 'take')).received) {
      const name = `${endpoint} ${id}`;
      if (isThere.has(name)) repeated++;
      isThere.add(name);
    }
  }
  // What is repeated last.
  await sleep(2_000);
  for (const { endpoint, id } of (await ask(receivers, 'take')).received)
    repeated += isThere.has(`${endpoint} ${id}`) ? 1 : 0;
  return [`killed, round ${round}: lost / repeated of ${due}`, `0 / ${repeated}`];
}
