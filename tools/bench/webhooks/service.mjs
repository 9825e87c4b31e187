import { once } from 'node:events';
import { fork, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SecretSealer, WebhookSecret } from '../../../libs/webhook/dist/index.js';
import { withClient } from '../shared/database.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PEPPER = 'a pepper of the benchmarks';

/** The environment of a service with one process that may deliver to this machine. */
export const environmentOn = (databaseUrl) => ({
  PATH: process.env.PATH,
  DATABASE_URL: databaseUrl,
  API_KEY_PEPPER: PEPPER,
  PORT: '0',
  LOG_LEVEL: 'info',
  WEBHOOK_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
});

/** Starts the process of `count` receivers. @returns it, and their ports */
export async function startReceivers(count) {
  const receivers = fork(join(import.meta.dirname, 'receivers.mjs'), [String(count)]);
  const [{ ports }] = await once(receivers, 'message');
  return [receivers, ports];
}

export async function startService(env) {
  const child = spawn(process.execPath, [join(ROOT, 'apps/api/bundle/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await new Promise((resolve, reject) => {
    let output = '';
    // Its log is read to the end: a service whose log nobody reads cannot stop in order.
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (output === undefined) return;
      output += text;
      const [, found] = /"origin":"([^"]+)"/.exec(output) ?? [];
      if (found === undefined) return;
      output = undefined;
      resolve(found);
    });
    child.once('exit', () => reject(new Error(`The service ended before it listened: ${output}`)));
  });
  return { child, origin };
}

export async function stopService({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export function issueKey(env) {
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
    [join(ROOT, 'apps/operator-cli/bundle/main.js'), ...argv],
    {
      env: { ...env, LOG_LEVEL: 'error' },
      encoding: 'utf8',
    },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

export async function addEndpoints(url, keyId, ports) {
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
export async function queue(url, count) {
  await withClient(url, (client) => queueBy(client, count));
}

/** The same on a connection that is open. */
export function queueBy(client, count) {
  return client.query(
    `insert into outbox (type, resource, data)
     select 'category.updated', 'category', '{"category":{"id":' || n || ',"name":"Dogs"}}' from generate_series(1, $1::int) n`,
    [count],
  );
}

/** What the receivers have got: `count`, or `take`, which also forgets it. */
export async function ask(receivers, question) {
  receivers.send(question);
  const [reply] = await once(receivers, 'message');
  return reply;
}

export async function until(receivers, question, isEnough, withinMs = 120_000) {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50)) {
    const reply = await ask(receivers, question);
    if (isEnough(reply)) return;
  }
  throw new Error('What was queued was not delivered in time.');
}

export async function received(receivers, count) {
  await until(receivers, 'count', (reply) => reply.count >= count);
  return (await ask(receivers, 'take')).received;
}
