import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError } from './contract.js';
import { metricsOf } from './metrics.js';
import { runService, type RunningService } from './running-service.js';
import { type RawConnection, rawConnection } from './raw-connection.js';
import { until } from './until.js';

let running: RunningService;
let key: string;

beforeAll(async () => {
  running = await runService({ OPS_PORT: '0' });
  key = await running.issueKey();
});
afterAll(() => running.close());

const connect = (from?: string): RawConnection => rawConnection(running.service.origin, from);
const LIVE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
const head = (fields: string): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${fields}\r\n`;

/** The value of a metric of the running service. */
async function metric(name: string): Promise<number | undefined> {
  return (await metricsOf(running.service.management ?? '')).get(name);
}

describe('requests on one connection', () => {
  it('are handled one after the other, however many are pipelined', async () => {
    const connection = connect();
    connection.write(LIVE.repeat(300));
    await until(() => connection.statuses().length === 300);
    expect(new Set(connection.statuses())).toEqual(new Set([200]));
    connection.socket.destroy();
  });

  it('leave nothing behind when their client goes away', async () => {
    const connections = Array.from({ length: 3 }, () => connect());
    for (const each of connections) {
      await once(each.socket, 'connect');
      each.socket.write('OPTIONS /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100), () => {
        each.socket.resetAndDestroy();
      });
    }
    const one = connect();
    one.write(LIVE);
    await one.answered();
    await until(async () => (await metric('petstore_http_requests_in_flight')) === 0);
    await until(async () => (await metric('petstore_http_connections')) === 1);
    one.socket.destroy();
  });

  it('are dropped behind one that ends the connection', async () => {
    const connection = connect();
    connection.write(`GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n${LIVE.repeat(20)}`);
    await connection.ended();
    expect(connection.statuses()).toEqual([200]);
  });

  it('are refused as a tunnel only when no answer is under way', async () => {
    const connection = connect();
    connection.write(`${LIVE}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await connection.ended();
    expect(connection.statuses().length).toBeLessThanOrEqual(1);
  });
});

describe('a request with an Upgrade field', () => {
  it.each(['', 'Content-Length: 0\r\n'])(
    'is answered, and is the last one on its connection (%j)',
    async (more) => {
      const connection = connect();
      const head = `GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${more}\r\n`;
      connection.write(`${head}POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: ${LIVE.length}\r\n\r\n`);
      await connection.answered();
      // What would be taken for a request of its own, had the head before it been passed over.
      connection.write(LIVE);
      await connection.ended();
      expect(connection.statuses()).toEqual([200]);
      expect(connection.text).toMatch(/^Connection: close\r$/m);
    },
  );
});

describe('an answer to a request that has not arrived whole', () => {
  it.each([
    ['without a key', () => head('Transfer-Encoding: chunked\r\n'), 401],
    ['of an open path', () => `${LIVE.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n`, 200],
    ['that is too large', () => head(`Authorization: Bearer ${key}\r\nContent-Length: 99999999\r\n`), 413],
  ])('ends the connection: %s', async (_what, request, status) => {
    const connection = connect();
    connection.write(request());
    await connection.answered();
    expect(connection.statuses()).toEqual([status]);
    expect(connection.text).toMatch(/^Connection: close\r$/m);
    // The rest is read up to a bound, which is reached long before the time is up.
    const began = Date.now();
    const sending = setInterval(() => connection.socket.write('1\r\na\r\n'.repeat(5_000)), 20);
    await connection.closed();
    clearInterval(sending);
    expect(Date.now() - began).toBeLessThan(1_500);
  });

  it('gives its client two seconds to notice', async () => {
    const connection = connect();
    connection.write(head('Content-Length: 1000\r\n'));
    await connection.answered();
    const began = Date.now();
    const dripping = setInterval(() => connection.socket.write('a'), 100);
    await connection.closed();
    clearInterval(dripping);
    expect(Date.now() - began).toBeGreaterThan(1_500);
    expect(Date.now() - began).toBeLessThan(4_000);
  });

  it('does not end the connection when the body came along', async () => {
    const connection = connect();
    connection.write(`${head('Content-Length: 2\r\n')}{}`);
    await connection.answered();
    connection.write(LIVE);
    await until(() => connection.statuses().length === 2);
    expect(connection.statuses()).toEqual([401, 200]);
    connection.socket.destroy();
  });
});

describe('more connections than there may be', () => {
  let small: RunningService;
  const most = 6;

  beforeAll(async () => {
    small = await runService({
      MAX_CONNECTIONS: String(most),
      MAX_CONNECTIONS_PER_ADDRESS: '4',
      TRUSTED_PROXIES: '127.0.0.9',
    });
  });
  afterAll(() => small.close());

  const open = async (from: string): Promise<RawConnection> => {
    const connection = rawConnection(small.service.origin, from);
    await once(connection.socket, 'connect');
    return connection;
  };
  const isServed = async (connection: RawConnection): Promise<boolean> => {
    connection.text = '';
    connection.write(LIVE);
    await Promise.race([connection.answered(), connection.ended()]);
    return connection.statuses().length === 1;
  };

  it('make the longest idle one of an address give way that has its share, and none of another', async () => {
    const other = await open('127.0.0.3');
    expect(await isServed(other)).toBe(true);
    const [first, ...kept] = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.2')));
    if (first !== undefined) expect(await isServed(first)).toBe(true);
    for (const each of kept) expect(await isServed(each)).toBe(true);
    kept.push(await open('127.0.0.2'));
    await first?.ended();
    for (const each of [...kept, other]) expect(await isServed(each)).toBe(true);
    for (const each of [...kept, other]) each.socket.destroy();
  });

  it('are refused to an address whose share is at work', async () => {
    const key = await small.issueKey();
    const busy = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.5')));
    for (const each of busy) {
      each.write(
        `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
      );
    }
    // Begun: each of them waits for the rest of its body.
    await sleep(200);
    expect(await isServed(await open('127.0.0.5'))).toBe(false);
    expect(await isServed(await open('127.0.0.6'))).toBe(true);
    for (const each of busy) each.write('}');
    for (const each of busy) {
      await each.answered();
      expect(each.statuses()).toEqual([400]);
      each.socket.destroy();
    }
  });

  it('make the longest idle one give way', async () => {
    const first = await open('127.0.0.4');
    expect(await isServed(first)).toBe(true);
    const others = await Promise.all(Array.from({ length: most }, (_, i) => open(`127.0.1.${i}`)));
    for (const each of others) expect(await isServed(each)).toBe(true);
    await first.ended();
    for (const each of others) expect(await isServed(each)).toBe(true);
    for (const each of others) each.socket.destroy();
    await until(() => small.lines.some((line) => line.includes('connections dropped')));
  });

  it('make one give way that reads its answer slowly, when none is idle', async () => {
    const slow = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.7')));
    for (const each of slow) {
      each.socket.pause();
      // More than the system keeps for a connection.
      each.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(16));
    }
    await sleep(3_000);
    const others = await Promise.all(Array.from({ length: 5 }, (_, i) => open(`127.0.2.${i}`)));
    for (const each of others) expect(await isServed(each)).toBe(true);
    for (const each of [...slow, ...others]) each.socket.destroy();
  });

  it('are a trusted proxy’s to open', async () => {
    const proxied = await Promise.all(Array.from({ length: 5 }, () => open('127.0.0.9')));
    for (const each of proxied) expect(await isServed(each)).toBe(true);
    for (const each of proxied) each.socket.destroy();
  });
});

describe('the form of a target', () => {
  it('does not matter: absolute ones are metered and answered like others', async () => {
    const connection = connect();
    connection.write(
      `GET http://petstore.example/v1/pets/0 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await connection.answered();
    expect(connection.statuses()).toEqual([404]);
    expect(connection.text).toContain('"pet_not_found"');
    connection.text = '';
    connection.write('OPTIONS http://petstore.example/v1/pets HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.answered();
    expect(connection.statuses()).toEqual([204]);
    expect(connection.text).toMatch(/^X-RateLimit-Limit: \d+\r$/m);
    connection.socket.destroy();
  });

  it.each(['/v1/pets#a', '/v1\\pets', '/v1/pets?a=\\', 'http://a@b/v1/pets', 'ftp://a/v1/pets', 'http://'])(
    'is refused as %s',
    async (target) => {
      const connection = connect();
      connection.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await connection.ended();
      expectError(connection.reply(), 'bad_request');
    },
  );
});

describe('an answer that nobody reads', () => {
  it('holds neither the process nor its stop', async () => {
    const instance = await running.another();
    const { port } = new URL(instance.origin);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await sleep(300);
    const began = Date.now();
    await instance.close();
    expect(Date.now() - began).toBeLessThan(8_000);
    socket.destroy();
  });
});
