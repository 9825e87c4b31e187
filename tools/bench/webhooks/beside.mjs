import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { COLLECTS_GARBAGE, startTestPostgres } from '../../test-servers/dist/index.js';
import { fill, withClient } from '../shared/database.mjs';
import { median, table } from '../shared/table.mjs';
import { OpenLoad } from '../overload/open-load.mjs';
import {
  addEndpoints,
  environmentOn,
  issueKey,
  received,
  startReceivers,
  startService,
  stopService,
} from './service.mjs';

/**
 * `node tools/bench/webhooks/beside.mjs`: what requests of the API see while the same process delivers webhooks, or
 * another one beside it. The same animals are added in every span; in every second one there are endpoints that get these
 * events.
 */

const USAGE = `node tools/bench/webhooks/beside.mjs [options]

  --creations N     a second, all the time (100)
  --lists N         of 20 animals a second, all the time (500)
  --endpoints N     that get every event, in every second span (10)
  --apart           another instance sequences and delivers, and this one only serves
  --rounds N        each a span without deliveries and one with them (12)
  --seconds S       of a span (5)
`;

const { values: options } = parseArgs({
  options: {
    creations: { type: 'string', default: '100' },
    lists: { type: 'string', default: '500' },
    endpoints: { type: 'string', default: '10' },
    apart: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

const ENDPOINTS = Number(options.endpoints);
const CREATIONS = Number(options.creations);
const LISTS = Number(options.lists);
const SECONDS = Number(options.seconds);

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const postgres = await startTestPostgres();
  const [receivers, ports] = await startReceivers(ENDPOINTS);
  const services = [];
  let load;
  try {
    const environment = environmentOn(postgres.url);
    for (const WORKER of options.apart ? ['off', 'on'] : ['on'])
      services.push(await startService({ ...environment, WORKER, NODE_OPTIONS: COLLECTS_GARBAGE }));
    const [{ origin }] = services;
    await fill(postgres.url, 10_000);
    const key = issueKey(environment);
    await addEndpoints(postgres.url, key.id, ports);
    load = new OpenLoad(Number(new URL(origin).port), mixOf(key.key));
    await load.connect();
    setPrecedence(receivers.pid);
    // The first deliveries take longer: what they need is loaded and compiled.
    for (let i = 0; i < 3; i++) await span(load);
    await received(receivers, 3 * CREATIONS * SECONDS * ENDPOINTS);
    // Until the first collection the heap of old objects grows for a minute or more; what counts is what comes then.
    for (const { child } of services) child.kill('SIGUSR2');
    const [without, beside] = [[], []];
    await withClient(postgres.url, async (client) => {
      const setEndpoints = (status) => client.query('update webhooks set status = $1', [status]);
      for (let round = 0; round < Number(options.rounds); round++) {
        await setEndpoints('disabled');
        without.push(await span(load));
        await setEndpoints('enabled');
        beside.push(await span(load));
        await received(receivers, CREATIONS * SECONDS * ENDPOINTS);
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
      row(`beside ${CREATIONS * ENDPOINTS} a second`, beside),
      ratio,
    ];
    process.stdout.write(
      `${table([`${LISTS} lists, ${CREATIONS} creations a second`, 'median ms', '99 % ms'], rows)}\n`,
    );
  } finally {
    load?.close();
    for (const service of services) await stopService(service);
    receivers.disconnect();
    await postgres.stop();
  }
}

/** Neither the load's own waiting for a core is measured, nor that for receivers, which stand elsewhere in life. */
function setPrecedence(receivers) {
  const { PRIORITY_HIGH, PRIORITY_LOW } = constants.priority;
  setPriority(receivers, PRIORITY_LOW);
  try {
    setPriority(PRIORITY_HIGH);
  } catch {
    process.stderr.write(
      'Without the right to raise its own priority: waiting for a core is measured too.\n',
    );
  }
}

/** Creations and lists, evenly mixed. */
function mixOf(key) {
  const head = (line) => `${line} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n`;
  const list = Buffer.from(`${head('GET /v1/pets')}\r\n`);
  const body = '{"name":"Rex","categoryId":1}';
  const create = Buffer.from(
    `${head('POST /v1/pets')}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let creations = 0;
  return Array.from({ length: CREATIONS + LISTS }, (_, n) => {
    const isCreation = (creations + 1) * (CREATIONS + LISTS) <= (n + 1) * CREATIONS;
    if (isCreation) creations++;
    return isCreation ? create : list;
  });
}

/** @returns the median and the 99th percentile of the responses, in milliseconds */
async function span(load) {
  const { sent, latencies, given, broken } = await load.run(CREATIONS + LISTS, SECONDS);
  const sorted = [200, 201].flatMap((status) => latencies.get(status) ?? []).sort((a, b) => a - b);
  if (given > 0 || sorted.length !== sent) {
    const counts = [...latencies].map(([status, { length }]) => `${length} times ${status}`);
    throw new Error(
      `Not all requests were served: ${counts.join(', ')}, ${given} not sent, ${broken} broken.`,
    );
  }
  return [0.5, 0.99].map((share) => sorted[Math.floor((sorted.length - 1) * share)]);
}
