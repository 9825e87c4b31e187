import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { expectError } from '../support/contract.js';
import { CONNECT } from '../hostile/hostile-requests.js';
import { metricsOf } from '../support/metrics.js';
import { LIVE, type RawConnection, rawConnection } from '../support/raw-connection.js';
import { runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';

/** Connections that the service has, of all addresses and of one. */
const MOST = 6;
const MAX_PER_ADDRESS = 4;
const PROXY = '127.0.0.9';

let running: RunningService;
let key: string;

beforeAll(async () => {
  running = await runService({
    OPS_PORT: '0',
    MAX_CONNECTIONS: String(MOST),
    MAX_CONNECTIONS_PER_ADDRESS: String(MAX_PER_ADDRESS),
    TRUSTED_PROXIES: PROXY,
  });
  key = await running.issueKey();
});
afterAll(() => running.close());

/** Every connection of a test is gone before the next one begins. */
const opened: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await until(async () => (await metric('petstore_http_connections')) === 0);
});

const metric = async (name: string): Promise<number | undefined> =>
  (await metricsOf(running.service.management ?? '')).get(name);

function connect(from?: string, origin = running.service.origin): RawConnection {
  const connection = rawConnection(origin, from);
  opened.push(connection);
  return connection;
}

async function open(from: string, origin?: string): Promise<RawConnection> {
  const connection = connect(from, origin);
  await once(connection.socket, 'connect');
  return connection;
}

const openAll = (count: number, from: string, origin?: string): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => open(from, origin)));

async function isServed(connection: RawConnection): Promise<boolean> {
  connection.text = '';
  connection.write(LIVE);
  const { socket } = connection;
  await until(() => connection.text.includes('\r\n\r\n') || socket.readableEnded || socket.closed);
  return connection.statuses().length === 1;
}

async function expectServed(connections: readonly RawConnection[]): Promise<void> {
  for (const each of connections) expect(await isServed(each)).toBe(true);
}

const get = (target: string, fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n`;
const post = (fields: string): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n`;

describe('requests on one connection', () => {
  it('have their responses in order, however many are pipelined', async () => {
    const connection = connect();
    const targets = ['/v1/pets/0', '/v1/pets?limit=1', '/livez', '/v1/pets?limit=0', '/nowhere'];
    connection.write(targets.map((target) => get(target)).join('') + LIVE.repeat(300));
    await until(() => connection.statuses().length === 305);
    expect(connection.statuses()).toEqual([404, 200, 200, 400, 404, ...Array<number>(300).fill(200)]);
  });

  it('are dropped behind one that ends the connection', async () => {
    const connection = connect();
    connection.write(get('/livez', 'Connection: close\r\n') + LIVE.repeat(20));
    await connection.ended();
    expect(connection.statuses()).toEqual([200]);
  });

  it('are no tunnel, and end with one that is asked for while a response is under way', async () => {
    const connection = connect();
    connection.write(LIVE + CONNECT);
    await connection.ended();
    expect(connection.statuses().length).toBeLessThanOrEqual(1);
  });

  it.each(['', 'Content-Length: 0\r\n'])('end with one that has an Upgrade field (%j)', async (more) => {
    const connection = connect();
    const upgrade = get('/livez', `Connection: Upgrade\r\nUpgrade: h2c\r\n${more}`);
    connection.write(`${upgrade}POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: ${LIVE.length}\r\n\r\n`);
    await connection.responded();
    // What would be taken for a request of its own, had the head before it been passed over.
    connection.write(LIVE);
    await connection.ended();
    expect(connection.statuses()).toEqual([200]);
    expect(connection.text).toMatch(/^Connection: close\r$/m);
  });
});

describe('a response to a request that has not arrived whole', () => {
  it.each([
    ['without a key', () => post('Transfer-Encoding: chunked\r\n'), 401],
    ['of an open path', () => get('/livez', 'Transfer-Encoding: chunked\r\n'), 200],
    ['that is too large', () => post(`Authorization: Bearer ${key}\r\nContent-Length: 99999999\r\n`), 413],
  ])(
    'ends the connection, as soon as so much has come that it is not read: %s',
    async (_what, request, status) => {
      const connection = connect();
      connection.write(request());
      await connection.responded();
      expect(connection.statuses()).toEqual([status]);
      expect(connection.text).toMatch(/^Connection: close\r$/m);
      const sending = setInterval(() => connection.socket.write('1\r\na\r\n'.repeat(5_000)), 20);
      await connection.closed();
      clearInterval(sending);
    },
  );

  it('does not end the connection when the body came along', async () => {
    const connection = connect();
    connection.write(`${post('Content-Length: 2\r\n')}{}`);
    await connection.responded();
    connection.write(LIVE);
    await until(() => connection.statuses().length === 2);
    expect(connection.statuses()).toEqual([401, 200]);
  });
});

describe('the form of a target', () => {
  it('does not matter: absolute ones are metered and handled like others', async () => {
    const connection = connect();
    connection.write(get('http://petstore.example/v1/pets/0'));
    await connection.responded();
    expectError(connection.reply(), 'pet_not_found');
    connection.text = '';
    connection.write('OPTIONS http://petstore.example/v1/pets HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.responded();
    expect(connection.statuses()).toEqual([204]);
    expect(connection.text).toMatch(/^X-RateLimit-Limit: \d+\r$/m);
  });

  it.each(['/v1/pets#a', 'http://a@b/v1/pets', 'http://a\\b/v1/pets', 'ftp://a/v1/pets', 'http://'])(
    'is refused as %s',
    async (target) => {
      const connection = connect();
      connection.write(get(target, 'Connection: close\r\n'));
      await connection.ended();
      expectError(connection.reply(), 'bad_request');
    },
  );
});

// Elsewhere the loopback interface has one address only.
(process.platform === 'linux' ? describe : describe.skip)('more connections than there may be', () => {
  it('make the longest idle one of an address give way that has its share, and none of another', async () => {
    const other = await open('127.0.0.3');
    const [first, ...kept] = await openAll(MAX_PER_ADDRESS, '127.0.0.2');
    await expectServed([other, ...(first ? [first] : []), ...kept]);
    kept.push(await open('127.0.0.2'));
    await first?.ended();
    await expectServed([...kept, other]);
  });

  it('are refused to an address whose share is at work', async () => {
    const busy = await openAll(MAX_PER_ADDRESS, '127.0.0.5');
    for (const each of busy) each.write(`${post(`Authorization: Bearer ${key}\r\nContent-Length: 2\r\n`)}{`);
    // Each of them waits for the rest of its body.
    await until(async () => (await metric('petstore_http_requests_in_flight')) === MAX_PER_ADDRESS);
    expect(await isServed(await open('127.0.0.5'))).toBe(false);
    await expectServed([await open('127.0.0.6')]);
    for (const each of busy) each.write('}');
    for (const each of busy) {
      await each.responded();
      expect(each.statuses()).toEqual([400]);
    }
  });

  it('make the longest idle one of all give way', async () => {
    const first = await open('127.0.0.4');
    await expectServed([first]);
    const others = await Promise.all(Array.from({ length: MOST }, (_, n) => open(`127.0.1.${n + 1}`)));
    await expectServed(others);
    await first.ended();
    await expectServed(others);
    await until(() => running.lines.some((line) => line.includes('connections dropped')));
  });

  it('make one give way that reads its response slowly, when none is idle', async () => {
    const slow = await openAll(MAX_PER_ADDRESS, '127.0.0.7');
    for (const { socket } of slow) {
      socket.pause();
      // More than the system keeps for a connection.
      socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(16));
    }
    let others: RawConnection[] = [];
    const areServed = async (): Promise<boolean> => (await Promise.all(others.map(isServed))).every(Boolean);
    // Until the service has seen of each one that it is slow, which takes it two seconds, one of the others gives way: also
    // one that has been served while the last ones are being accepted.
    await until(async () => {
      for (const { socket } of others) socket.destroy();
      others = await Promise.all(Array.from({ length: MOST - 1 }, (_, n) => open(`127.0.2.${n + 1}`)));
      return (await areServed()) && (await areServed());
    });
  });

  it('are a trusted proxy’s to open', async () => {
    await expectServed(await openAll(MAX_PER_ADDRESS + 1, PROXY));
  });

  it.each([
    ['say nothing', () => Promise.resolve(true)],
    ['have had a response', isServed],
  ])('leave room for others and for probes, though one address has them all: they %s', async (_what, use) => {
    const { origin } = await running.another({ MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '1000' });
    const held = await openAll(200, '127.0.0.1', origin);
    await Promise.all(held.map(use));
    for (const [n, path] of ['/v1/pets?limit=1', '/readyz', '/v1/pets?limit=1', '/readyz'].entries()) {
      const other = await open(`127.3.0.${n + 1}`, origin);
      other.write(get(path));
      await other.responded();
      expect(other.statuses()).toEqual([200]);
    }
  });
});
