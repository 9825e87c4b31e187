import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../../test-servers/dist/index.js';
import { SecretSealer, WebhookSecret } from '../../../libs/webhook/dist/index.js';
import { withClient } from '../shared/database.mjs';
import { table } from '../shared/table.mjs';

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

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PEPPER = 'a pepper of the benchmarks';
const ENDPOINTS = Number(options.endpoints);

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const postgres = await startTestPostgres();
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url,
    API_KEY_PEPPER: PEPPER,
    PORT: '0',
    LOG_LEVEL: 'info',
    WEBHOOK_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const receivers = fork(join(import.meta.dirname, 'receivers.mjs'), [String(ENDPOINTS)]);
  let service;
  try {
    const [{ ports }] = await once(receivers, 'message');
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

async function startService(env) {
  const child = spawn(process.execPath, [join(ROOT, 'apps/api/dist/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    const [, origin] = /"origin":"([^"]+)"/.exec(output) ?? [];
    if (origin !== undefined) {
      child.stdout.resume();
      return { child, origin };
    }
  }
  throw new Error(`The service ended before it listened: ${output}`);
}

async function stopService({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function issueKey(env) {
  const argv = [
    'create',
    '--name',
    'bench',
    '--plan',
    'enterprise',
    '--per-minute',
    '1000000',
    '--per-day',
    '10000000',
    '--json',
  ];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'apps/operator-cli/dist/main.js'), ...argv],
    {
      env: { ...env, LOG_LEVEL: 'error' },
      encoding: 'utf8',
    },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

async function addEndpoints(url, keyId, ports) {
  const sealed = new SecretSealer(PEPPER).seal(WebhookSecret.generate());
  await withClient(url, async (client) => {
    await client.query(`update api_keys set scopes = scopes || '{webhooks:manage}' where id = $1`, [keyId]);
    for (const port of ports) {
      await client.query(
        `with webhook as (insert into webhooks (key_id, url, status) values ($1, $2, 'enabled') returning id)
         insert into webhook_secrets (webhook_id, sealed) select id, $3 from webhook`,
        [keyId, `http://127.0.0.1:${port}/`, sealed],
      );
    }
  });
}

/** So many events, past the service: the sequencer finds them within a second. */
async function queue(url, count) {
  await withClient(url, (client) =>
    client.query(
      `insert into outbox (type, resource, data)
       select 'category.updated', 'category', '{"category":{"id":' || n || ',"name":"Dogs"}}' from generate_series(1, $1::int) n`,
      [count],
    ),
  );
}

async function ask(receivers, question) {
  receivers.send(question);
  const [reply] = await once(receivers, 'message');
  return reply;
}

async function until(receivers, question, isEnough, withinMs = 120_000) {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50)) {
    const reply = await ask(receivers, question);
    if (isEnough(reply)) return;
  }
  throw new Error('What was queued was not delivered in time.');
}

async function received(receivers, count) {
  await until(receivers, 'count', (reply) => reply.count >= count);
  return (await ask(receivers, 'take')).received;
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
