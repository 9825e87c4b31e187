import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../../test-servers/dist/index.js';
import { fill, withClient } from '../shared/database.mjs';
import { median, table } from '../shared/table.mjs';
import { OpenLoad } from '../overload/open-load.mjs';
import {
  addEndpoints,
  environmentOn,
  issueKey,
  queueBy,
  received,
  startReceivers,
  startService,
  stopService,
} from './service.mjs';

/** `node tools/bench/webhooks/beside.mjs`: what requests of the API see while the same process delivers webhooks. */

const USAGE = `node tools/bench/webhooks/beside.mjs [options]

  --endpoints N     that get every event (10)
  --deliveries N    a second, while it delivers (1000)
  --requests N      lists of 20 a second, all the time (500)
  --rounds N        each a span without deliveries and one with them (8)
  --seconds S       of a span (5)
`;

const { values: options } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '10' },
    deliveries: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

const ENDPOINTS = Number(options.endpoints);
const SECONDS = Number(options.seconds);
/** Milliseconds between two events or more. */
const BETWEEN_MS = 20;
const EVENTS = Math.round((Number(options.deliveries) / ENDPOINTS / 1_000) * BETWEEN_MS);

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const postgres = await startTestPostgres();
  const [receivers, ports] = await startReceivers(ENDPOINTS);
  let service;
  let load;
  try {
    const environment = environmentOn(postgres.url);
    service = await startService(environment);
    await fill(postgres.url, 10_000);
    const key = issueKey(environment);
    await addEndpoints(postgres.url, key.id, ports);
    load = new OpenLoad(Number(new URL(service.origin).port), [listOf(key.key)]);
    await load.connect();
    await load.run(Number(options.requests), 5);
    const [without, beside] = [[], []];
    await withClient(postgres.url, async (client) => {
      for (let round = 0; round < Number(options.rounds); round++) {
        without.push(await span(load));
        const delivered = deliver(client, receivers);
        beside.push(await span(load));
        await delivered;
      }
    });
    const row = (name, spans) => [
      name,
      ...[0, 1].map((at) => `${median(spans.map((span) => span[at])).toFixed(2)}`),
    ];
    const ratio = [
      'ratio of neighbours',
      ...[0, 1].map((at) => median(beside.map((span, i) => span[at] / without[i][at])).toFixed(2)),
    ];
    const rows = [
      row('without deliveries', without),
      row(`beside ${options.deliveries} a second`, beside),
      ratio,
    ];
    process.stdout.write(`${table([`${options.requests} lists a second`, 'median ms', '99 % ms'], rows)}\n`);
  } finally {
    load?.close();
    if (service !== undefined) await stopService(service);
    receivers.disconnect();
    await postgres.stop();
  }
}

function listOf(key) {
  return Buffer.from(`GET /v1/pets HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`);
}

/** @returns the median and the 99th percentile of the responses, in milliseconds */
async function span(load) {
  const { latencies, given, broken } = await load.run(Number(options.requests), SECONDS);
  const sorted = (latencies.get(200) ?? []).sort((a, b) => a - b);
  if (given + broken > 0 || latencies.size !== 1) {
    const counts = [...latencies].map(([status, { length }]) => `${length} times ${status}`);
    throw new Error(
      `Not all requests were served: ${counts.join(', ')}, ${given} not sent, ${broken} broken.`,
    );
  }
  return [0.5, 0.99].map((share) => sorted[Math.floor((sorted.length - 1) * share)]);
}

/**
 * Queues events for as long as a span takes, and waits until all of them are delivered. On one connection: to open one
 * would keep this process, which is also the load, from reading responses.
 */
async function deliver(client, receivers) {
  let events = 0;
  for (const end = performance.now() + SECONDS * 1_000; performance.now() < end; await sleep(BETWEEN_MS)) {
    await queueBy(client, EVENTS);
    events += EVENTS;
  }
  await received(receivers, events * ENDPOINTS);
}
