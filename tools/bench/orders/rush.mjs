import { once } from 'node:events';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { CONTENDERS, OURS } from '../http/contenders.mjs';
import { Stage } from '../http/stage.mjs';
import { addAbove, restore } from '../shared/database.mjs';
import { table } from '../shared/table.mjs';

/** `node tools/bench/orders/rush.mjs`: how long those wait who all order one animal at the same moment. */

const USAGE = `node tools/bench/orders/rush.mjs [options]

  --clients N       of one animal, each with a connection of its own (1000)
  --rounds N        animals, one after the other (15)
`;

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '15' },
    help: { type: 'boolean', default: false },
  },
});

const ROWS = 10_000;

/** Rounds before the first that counts, until V8 has compiled what is used. */
const WARMUP = 5;

/** Of clients: one address may have a quarter of what a process works on at a time. */
const ADDRESSES = 8;

if (options.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const stage = await Stage.set({ rows: ROWS, withService: true });
  try {
    const service = await stage.start(CONTENDERS.find(({ name }) => name === OURS));
    const clients = await Promise.all(
      Array.from({ length: Number(options.clients) }, (_, i) => open(service.port, i)),
    );
    const rounds = [];
    for (let round = 1 - WARMUP; round <= Number(options.rounds); round++) {
      await addAbove(stage.databaseUrl, ROWS, 1);
      const responses = await rush(clients, stage.keys.orderKeys);
      await restore(stage.databaseUrl, ROWS);
      const row = rowOf(responses);
      if (round > 0) rounds.push([round, ...row]);
    }
    for (const { socket } of clients) socket.destroy();
    const head = ['round', '201', '409', 'others', 'median ms', '99 % ms', 'most ms'];
    process.stdout.write(`${table(head, rounds)}\n`);
  } finally {
    await stage.clear();
  }
}

async function open(port, i) {
  const localAddress = `127.0.0.${1 + (i % ADDRESSES)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  await once(socket, 'connect');
  const client = { socket, done: undefined };
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const length = /\r\ncontent-length: (\d+)/i.exec(text);
    const end = text.indexOf('\r\n\r\n') + 4;
    if (end < 4 || length === null || text.length < end + Number(length[1])) return;
    client.done({ at: performance.now(), status: Number(text.slice(9, 12)) });
    text = '';
  });
  socket.on('error', (error) => client.done?.({ at: performance.now(), status: error.code }));
  return client;
}

/** Latency and status of each response; the clock begins before the first request is written. */
async function rush(clients, keys) {
  const body = `{"petId":${ROWS + 1}}`;
  const begin = performance.now();
  const responses = await Promise.all(
    clients.map(
      (client, i) =>
        new Promise((resolve) => {
          client.done = resolve;
          client.socket.write(
            `POST /v1/store/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${keys[i % keys.length]}\r\n` +
              `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
        }),
    ),
  );
  return responses.map(({ at, status }) => ({ ms: at - begin, status }));
}

function rowOf(responses) {
  const count = (status) => responses.filter((response) => response.status === status).length;
  const sorted = responses.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.ceil(sorted.length * share) - 1]);
  const [placed, refused] = [count(201), count(409)];
  return [placed, refused, responses.length - placed - refused, at(0.5), at(0.99), at(1)];
}
