import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONTENDERS, Stage } from './stage.mjs';
import { quantile, table } from './table.mjs';

/**
 * `node tools/bench/webhooks.mjs`: what requests of the API see while the same process delivers webhooks. Lists and
 * creations come at a fixed rate; in every second span there are endpoints to which all events are delivered.
 */

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, seconds: { type: 'string', default: '5' } },
});
const ENDPOINTS = 10;
/** A second. */
const LISTS = 500;
const CREATIONS = 100;
const SECONDS = Number(options.seconds);

if (process.send) await receive();
else await main();

/** The receivers, in a process of their own, which tells their ports, and how much they have received when it is asked. */
async function receive() {
  let received = 0;
  const ports = [];
  for (let i = 0; i < ENDPOINTS; i++) {
    const server = createServer((incoming, response) => {
      incoming.resume().on('end', () => {
        received++;
        response.writeHead(204).end();
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.push(server.address().port);
  }
  process.on('message', () => process.send(received));
  process.on('disconnect', () => process.exit());
  process.send(ports);
}

async function main() {
  const stage = await Stage.set(10_000);
  const receivers = fork(fileURLToPath(import.meta.url));
  try {
    const [ports] = await once(receivers, 'message');
    const { port } = await stage.start(CONTENDERS[0], {
      WEBHOOK_HTTP: 'on',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    const api = async (method, path, body) => {
      const headers = { Authorization: `Bearer ${stage.keys.keys[0]}`, 'Content-Type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    const webhooks = await Promise.all(
      ports.map((to) => api('POST', '/webhooks', { url: `http://127.0.0.1:${to}/` })),
    );
    const setStatus = (status) =>
      Promise.all(webhooks.map(({ id }) => api('PATCH', `/webhooks/${id}`, { status })));
    let due = 0;
    const spanWith = async (status) => {
      await setStatus(status);
      const times = await span(port, stage.keys.keys);
      if (status === 'enabled') due += CREATIONS * SECONDS * ENDPOINTS;
      while ((await ask(receivers)) < due) await sleep(50);
      return times;
    };
    // The first deliveries take longer: what they need is loaded and compiled.
    await spanWith('enabled');
    const rows = [];
    for (let round = 1; round <= Number(options.rounds); round++) {
      const [without, beside] = [await spanWith('disabled'), await spanWith('enabled')];
      rows.push(
        [0.5, 0.99].flatMap((share) => {
          const [one, other] = [quantile(without, share), quantile(beside, share)];
          return [one, other, other / one];
        }),
      );
    }
    const medians = rows[0].map((_, column) => quantile(rows.map((row) => row[column])).toFixed(2));
    process.stdout.write(
      `${LISTS} lists and ${CREATIONS} creations a second, ${CREATIONS * ENDPOINTS} deliveries a second in every second span\n\n` +
        `${table(
          ['ms', 'without', 'beside deliveries', 'ratio'],
          [
            ['median', ...medians.slice(0, 3)],
            ['99 %', ...medians.slice(3)],
          ],
        )}\n`,
    );
  } finally {
    receivers.disconnect();
    await stage.clear();
  }
}

async function ask(receivers) {
  receivers.send('received');
  return (await once(receivers, 'message'))[0];
}

/** Requests that come at their rate, whether or not earlier ones have a response. @returns milliseconds of each */
async function span(port, keys) {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const all = [];
  for (let sent = 0; sent < (LISTS + CREATIONS) * SECONDS; await sleep(1)) {
    const now = Math.min(SECONDS, (performance.now() - start) / 1000) * (LISTS + CREATIONS);
    for (; sent < now; sent++) {
      const isCreation = sent % ((LISTS + CREATIONS) / CREATIONS) === 0;
      all.push(timed({ port, agent, key: keys[sent % keys.length], isCreation }));
    }
  }
  const times = await Promise.all(all);
  agent.destroy();
  return times;
}

function timed({ port, agent, key, isCreation }) {
  const body = isCreation ? '{"name":"Rex","categoryId":50}' : '';
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(isCreation && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
  };
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const method = isCreation ? 'POST' : 'GET';
    const outgoing = request({ port, agent, method, path: '/v1/pets', headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === (isCreation ? 201 : 200)) resolve(performance.now() - since);
        else reject(new Error(`a response ${response.statusCode}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}
