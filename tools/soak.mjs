// `node tools/soak.mjs --minutes 10 --rate 300`, after `npm run build`: runs the service under a constant rate of mixed
// requests, on a PostgreSQL and a Redis of its own. Fails for a response with another status than expected, for an
// acknowledged animal that is not stored or stored twice, and for a secret in the log.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rssOf } from './bench/processes.mjs';
import { CONTENDERS, Stage } from './bench/stage.mjs';
import { quantile } from './bench/table.mjs';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '300' } },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const ROWS = 1_000;
const TICK_MS = 20;
const TIMEOUT_MS = 10_000;

process.exitCode = (await Stage.with(ROWS, run)) ? 0 : 1;

async function run(stage) {
  // Wrong keys are part of the load.
  const { port, server } = await stage.start(CONTENDERS[0], { BANS: 'off' });
  const keys = {
    unlimited: stage.keys.keys[0],
    free: await stage.issueKey('free'),
    wrong: stage.keys.madeUpKey,
  };
  const total = { requests: 0, errors: 0, created: 0 };
  const failures = [];
  let latencies = [];
  const send = async ({ method = 'GET', path, key = 'unlimited', body, expected }) => {
    const start = performance.now();
    const headers = { Authorization: `Bearer ${keys[key]}` };
    if (body !== undefined)
      Object.assign(headers, { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() });
    const init = { method, headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const status = await fetch(`http://127.0.0.1:${port}${path}`, init).then(
      async (response) => (await response.arrayBuffer(), response.status),
      (error) => String(error.cause ?? error),
    );
    latencies.push(performance.now() - start);
    total.requests++;
    if (status === 201) total.created++;
    if (expected.includes(status)) return;
    total.errors++;
    if (failures.length < 20) failures.push(`${method} ${path}: ${status}`);
  };

  const open = new Set();
  const began = performance.now();
  let sent = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    while (performance.now() - began < minute * 60_000) {
      // At the rate, whether or not the responses keep up.
      for (const due = ((performance.now() - began) / 1000) * rate; sent < due; sent++) {
        const request = send(pick(ROWS + total.created)).finally(() => open.delete(request));
        open.add(request);
      }
      await sleep(TICK_MS);
    }
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencies, share)?.toFixed(1));
    latencies = [];
    const memory = rssOf(server.pid).toFixed(0);
    console.log(`minute ${minute}: p50 ${p50} ms, p99 ${p99} ms, memory ${memory} MiB`);
  }
  await Promise.all(open);
  await server.stop();

  const [{ count }] = await stage.database.manager.query('select count(*)::int from pets');
  const stored = count - ROWS;
  const log = server.output.trim().split('\n');
  const secrets = [...stage.keys.keys, ...Object.values(keys), stage.pepper];
  const leaks = log.filter((line) => secrets.some((secret) => line.includes(secret))).length;
  console.log(
    `${total.requests} requests, ${total.errors} errors; animals: ${total.created} acknowledged, ${stored} stored`,
  );
  console.log([`${log.length} lines of log, ${leaks} with a secret`, ...failures].join('\n'));
  return total.errors === 0 && stored === total.created && leaks === 0;
}

/** A request by chance, with the statuses that are right for it. */
function pick(pets) {
  const body = JSON.stringify({ name: 'Soak', categoryId: 7 });
  const kinds = [
    [45, { path: '/v1/pets?limit=20', expected: [200] }],
    [10, { path: '/v1/pets?status=available&limit=100', expected: [200] }],
    [20, { path: `/v1/pets/${1 + Math.floor(Math.random() * pets)}`, expected: [200, 404] }],
    [10, { method: 'POST', path: '/v1/pets', body, expected: [201] }],
    [3, { method: 'POST', path: '/v1/pets', body: '{"name":1}', expected: [400] }],
    [3, { path: '/v1/nothing', expected: [404] }],
    [4, { path: '/v1/pets', key: 'wrong', expected: [401] }],
    [5, { path: '/v1/pets', key: 'free', expected: [200, 429] }],
  ];
  let chance = Math.random() * 100;
  return (kinds.find(([share]) => (chance -= share) < 0) ?? kinds[0])[1];
}
