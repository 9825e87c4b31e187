import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONTENDERS, Stage } from './stage.mjs';
import { quantile, runOn, table } from './table.mjs';

/**
 * `node tools/bench/webhooks.mjs`: what requests of the API see while the same process delivers webhooks. Lists and
 * creations come at a fixed rate; in every second span there are endpoints to which all events are delivered.
 */

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, seconds: { type: 'string', default: '5' } },
});
const ENDPOINTS = 10;
/** A second. */
const [LISTS, CREATIONS] = [500, 100];
const RATE = LISTS + CREATIONS;
const SECONDS = Number(options.seconds);

if (process.send) receive();
else await Stage.with(10_000, main);

/** The receiver of all endpoints, a process of its own: tells its port, and what it has received when it is asked. */
function receive() {
  let received = 0;
  const server = createServer((incoming, response) => {
    received++;
    incoming.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('message', () => process.send(received));
  process.on('disconnect', () => process.exit());
}

async function main(stage) {
  await stage.stopMaintenance();
  const receiver = fork(fileURLToPath(import.meta.url));
  const [target] = await once(receiver, 'message');
  const env = { WEBHOOK_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const { port } = await stage.start(CONTENDERS[0], env);
  const { keys } = stage.keys;
  // The load shares the machine with what it measures: `fetch` takes several times as long as the service does.
  const agent = new Agent({ keepAlive: true });
  const send = async (method, path, body, key = keys[0]) => {
    const since = performance.now();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const outgoing = request({ agent, port, method, path: `/v1${path}`, headers });
    outgoing.end(body && JSON.stringify(body));
    const [response] = await once(outgoing, 'response');
    const received = await json(response);
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(received)}`);
    return { milliseconds: performance.now() - since, body: received };
  };
  const ids = [];
  for (let n = 1; n <= ENDPOINTS; n++)
    ids.push((await send('POST', '/webhooks', { url: `http://127.0.0.1:${target}/${n}` })).body.id);

  /** Requests that come at their rate, whether or not earlier ones have a response. @returns milliseconds of each */
  const span = async (status) => {
    for (const id of ids) await send('PATCH', `/webhooks/${id}`, { status });
    const start = performance.now();
    const all = [];
    while (all.length < RATE * SECONDS) {
      const due = Math.min(SECONDS, (performance.now() - start) / 1_000) * RATE;
      while (all.length < due) {
        const key = keys[all.length % keys.length];
        const isCreation = all.length % (RATE / CREATIONS) === 0;
        all.push(
          isCreation
            ? send('POST', '/pets', { name: 'Rex', categoryId: 50 }, key)
            : send('GET', '/pets', undefined, key),
        );
      }
      await sleep(1);
    }
    return (await Promise.all(all)).map(({ milliseconds }) => milliseconds);
  };
  let due = 0;
  const spanBeside = async () => {
    const times = await span('enabled');
    due += CREATIONS * SECONDS * ENDPOINTS;
    for (let received = 0; received < due; await sleep(50)) {
      receiver.send('how many');
      [received] = await once(receiver, 'message');
    }
    return times;
  };

  // The first deliveries take longer: what they need is loaded and compiled.
  await spanBeside();
  const rounds = [];
  for (let round = 1; round <= Number(options.rounds); round++)
    rounds.push([await span('disabled'), await spanBeside()]);
  receiver.disconnect();
  agent.destroy();
  const row = (name, share) => {
    const pairs = rounds.map((times) => times.map((one) => quantile(one, share)));
    const figures = pairs.map(([without, beside]) => [without, beside, beside / without]);
    return [name, ...[0, 1, 2].map((i) => quantile(figures.map((one) => one[i])).toFixed(2))];
  };
  const head = ['ms', 'without', 'beside deliveries', 'ratio'];
  process.stdout.write(
    `${runOn()}; ${LISTS} lists and ${CREATIONS} creations a second, ${CREATIONS * ENDPOINTS} deliveries a second in every second span\n\n` +
      `${table(head, [row('median', 0.5), row('99 %', 0.99)])}\n`,
  );
}
