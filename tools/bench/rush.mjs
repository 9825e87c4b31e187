import { once } from 'node:events';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { addSpares } from './data.mjs';
import { CONTENDERS, Stage } from './stage.mjs';
import { quantile, table } from './table.mjs';

/** `node tools/bench/rush.mjs`: 1,000 clients order one animal at the same moment; one gets it. How long do they wait? */

const { values: options } = parseArgs({
  options: { clients: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '10' } },
});

/** Rounds before the first that counts, until V8 has compiled what is used. */
const WARMUP = 5;
/** Addresses of the clients: one may have a quarter of what a process works on at a time. */
const ADDRESSES = 8;

const stage = await Stage.set(10_000);
try {
  const { port } = await stage.start(CONTENDERS[0]);
  const clients = await Promise.all(Array.from({ length: Number(options.clients) }, (_, i) => open(port, i)));
  const rows = [];
  for (let round = 1 - WARMUP; round <= Number(options.rounds); round++) {
    const petId = await addSpares(stage.postgres.url, 1);
    const responses = await rush(clients, petId);
    if (round > 0) rows.push([round, ...summaryOf(responses)]);
  }
  for (const { socket } of clients) socket.destroy();
  process.stdout.write(
    `${table(['round', '201', '409', 'others', 'median ms', '99 % ms', 'most ms'], rows)}\n`,
  );
} finally {
  await stage.clear();
}

async function open(port, i) {
  const localAddress = `127.0.0.${1 + (i % ADDRESSES)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  const client = { socket, onResponse: undefined };
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    const [head, body] = text.split('\r\n\r\n');
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (body === undefined || body.length < Number(length)) return;
    text = '';
    client.onResponse(Number(head.slice(9, 12)));
  });
  socket.on('error', (error) => client.onResponse?.(error.code));
  return client;
}

/** Status and latency of each response; the clock begins before the first request is written. */
function rush(clients, petId) {
  const { keys } = stage.keys;
  const body = `{"petId":${petId}}`;
  const begin = performance.now();
  return Promise.all(
    clients.map(
      (client, i) =>
        new Promise((resolve) => {
          client.onResponse = (status) => resolve({ status, ms: performance.now() - begin });
          client.socket.write(
            `POST /v1/store/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${keys[i % keys.length]}\r\n` +
              `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
        }),
    ),
  );
}

function summaryOf(responses) {
  const [placed, refused] = [201, 409].map(
    (code) => responses.filter(({ status }) => status === code).length,
  );
  const times = responses.map(({ ms }) => ms);
  const quantiles = [0.5, 0.99, 1].map((share) => Math.round(quantile(times, share)));
  return [placed, refused, responses.length - placed - refused, ...quantiles];
}
