import { afterEach, describe, expect, it } from '@jest/globals';
import { expectError } from '../support/contract.js';
import { CONNECT } from '../hostile/hostile-requests.js';
import { metricsOf } from '../support/metrics.js';
import { LIVE, RawConnection } from '../support/raw-connection.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';

/** Most connections that the service takes. */
const MOST = 6;

const { running } = await serve({ OPS_PORT: '0', MAX_CONNECTIONS: String(MOST) });
const key = await running.issueKey();

/** Every connection of a test is gone before the next one begins. */
const opened: RawConnection[] = [];
const untilAllAreGone = async (): Promise<void> => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  await until(async () => (await metric('petstore_http_connections')) === 0);
};

const metric = async (name: string): Promise<number | undefined> =>
  (await metricsOf(running.service.management ?? '')).get(name);

function connect(): RawConnection {
  const connection = new RawConnection(running.service.origin);
  opened.push(connection);
  return connection;
}

async function isServed(connection: RawConnection): Promise<boolean> {
  connection.text = '';
  connection.write(LIVE);
  const { socket } = connection;
  await until(() => connection.text.includes('\r\n\r\n') || socket.readableEnded || socket.closed);
  return connection.statuses().length === 1;
}

const get = (target: string, fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n`;
const post = (fields: string): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n`;

describe('requests on one connection', () => {
  afterEach(untilAllAreGone);

  it('have their responses in order, a hundred at once', async () => {
    const connection = connect();
    const targets = ['/v1/pets/0', '/v1/pets?limit=1', '/livez', '/v1/pets?limit=0', '/nowhere'];
    connection.write(targets.map((target) => get(target)).join('') + LIVE.repeat(95));
    await until(() => connection.statuses().length === 100);
    expect(connection.statuses()).toEqual([404, 200, 200, 400, 404, ...Array<number>(95).fill(200)]);
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
  afterEach(untilAllAreGone);

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
      await connection.gone;
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
  afterEach(untilAllAreGone);

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

  it.each(['/v1/pets#a', 'http://a\\b/v1/pets', 'ftp://a/v1/pets'])('is refused as %s', async (target) => {
    const connection = connect();
    connection.write(get(target, 'Connection: close\r\n'));
    await connection.ended();
    expectError(connection.reply(), 'bad_request');
  });
});

describe('more connections than there may be', () => {
  afterEach(untilAllAreGone);

  it('are not taken, and those that are there are served', async () => {
    const taken = Array.from({ length: MOST }, connect);
    for (const each of taken) expect(await isServed(each)).toBe(true);
    expect(await isServed(connect())).toBe(false);
    for (const each of taken) expect(await isServed(each)).toBe(true);
    await until(() => running.lines.some((line) => line.includes('connections dropped')));
  });
});
