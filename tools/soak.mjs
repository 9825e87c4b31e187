// `node tools/soak.mjs --minutes 10 --rate 300`, after `npm run build`: runs the service under a constant rate of mixed
// requests, on a PostgreSQL and a Redis of its own. Fails for a response with another status than expected, for an
// acknowledged animal that is not stored or stored twice, and for a secret in the log.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { KeySigner } from '../libs/api-key/dist/index.js';
import { withClient } from './bench/data.mjs';
import { Program, rssOf } from './bench/processes.mjs';
import { quantile } from './bench/table.mjs';
import { freePort, memoryFolder, startRedis, startTestPostgres } from './test-servers/dist/index.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '300' } },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const bundle = (file) => fileURLToPath(new URL(`../apps/${file}`, import.meta.url));
const TICK_MS = 20;
const TIMEOUT_MS = 10_000;

const folder = await memoryFolder('soak');
const postgres = await startTestPostgres();
const redis = await startRedis();
const port = await freePort();
const env = {
  ...{ PATH: process.env.PATH, PORT: String(port), DATABASE_URL: postgres.url, REDIS_URL: redis.url },
  API_KEY_PEPPER: randomBytes(24).toString('base64url'),
  // Wrong keys are part of the load and come from one address.
  ...{ ANONYMOUS_PER_MINUTE: '1000000', ANONYMOUS_PER_DAY: '1000000', BANS: 'off' },
};
let service;
try {
  operator('migrate');
  const keys = {
    unlimited: issueKey('--plan', 'enterprise', '--per-minute', '999999999', '--per-day', '999999999'),
    free: issueKey('--plan', 'free'),
    wrong: new KeySigner('not the pepper of the service').issue('test').text,
  };
  service = new Program(bundle('api/bundle/main.js'), { env, output: `${folder.path}/log` });
  await service.untilServing(port, () => keys.unlimited);
  process.exitCode = (await run(keys)) ? 0 : 1;
} finally {
  await service?.stop();
  await redis.stop();
  await postgres.stop();
  await folder.remove();
}

async function run(keys) {
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
        const request = send(pick(total.created)).finally(() => open.delete(request));
        open.add(request);
      }
      await sleep(TICK_MS);
    }
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencies, share)?.toFixed(1));
    latencies = [];
    const memory = rssOf(service.pid).toFixed(0);
    console.log(`minute ${minute}: p50 ${p50} ms, p99 ${p99} ms, memory ${memory} MiB`);
  }
  await Promise.all(open);
  await service.stop();

  const { rows } = await withClient(postgres.url, (client) =>
    client.query('select count(*)::int as stored from pets'),
  );
  const [{ stored }] = rows;
  const log = service.output.trim().split('\n');
  const secrets = [...Object.values(keys), env.API_KEY_PEPPER];
  const leaks = log.filter((line) => secrets.some((secret) => line.includes(secret))).length;
  console.log(
    `${total.requests} requests, ${total.errors} errors; animals: ${total.created} acknowledged, ${stored} stored`,
  );
  console.log([`${log.length} lines of log, ${leaks} with a secret`, ...failures].join('\n'));
  return total.errors === 0 && stored === total.created && leaks === 0;
}

function issueKey(...options) {
  return JSON.parse(operator('main', 'create', '--name', 'soak', '--json', ...options)).key;
}

/** Runs a program of the operator's; its output. */
function operator(program, ...args) {
  return execFileSync(process.execPath, [bundle(`operator-cli/bundle/${program}.js`), ...args], { env });
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
