import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectError } from './contract.js';
import { metricsOf } from './metrics.js';
import { runService, type RunningService } from './running-service.js';
import { LIVE, type RawConnection, rawConnection } from './raw-connection.js';
import { until } from './until.js';

let running: RunningService;
let key: string;

beforeAll(async () => {
  running = await runService({ OPS_PORT: '0' });
  key = await running.issueKey();
});
afterAll(() => running.close());

const connect = (from?: string): RawConnection => rawConnection(running.service.origin, from);
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

  it('leave nothing behind when their client disconnects', async () => {
    const connections = Array.from({ length: 3 }, () => connect());
    for (const each of connections) {
      await once(each.socket, 'connect');
      each.socket.write('OPTIONS /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100), () => {
        each.socket.resetAndDestroy();
      });
    }
    const one = connect();
    one.write(LIVE);
    await one.responded();
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

  it('are refused as a tunnel only when no response is under way', async () => {
    const connection = connect();
    connection.write(`${LIVE}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await connection.ended();
    expect(connection.statuses().length).toBeLessThanOrEqual(1);
  });
});

describe('a request with an Upgrade field', () => {
  it.each(['', 'Content-Length: 0\r\n'])(
    'gets its response, and is the last one on its connection (%j)',
    async (more) => {
      const connection = connect();
      const head = `GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${more}\r\n`;
      connection.write(`${head}POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: ${LIVE.length}\r\n\r\n`);
      await connection.responded();
      // What would be taken for a request of its own, had the head before it been passed over.
      connection.write(LIVE);
      await connection.ended();
      expect(connection.statuses()).toEqual([200]);
      expect(connection.text).toMatch(/^Connection: close\r$/m);
    },
  );
});

describe('a response to a request that has not arrived whole', () => {
  it.each([
    ['without a key', () => head('Transfer-Encoding: chunked\r\n'), 401],
    ['of an open path', () => `${LIVE.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n`, 200],
    ['that is too large', () => head(`Authorization: Bearer ${key}\r\nContent-Length: 99999999\r\n`), 413],
  ])('ends the connection: %s', async (_what, request, status) => {
    const connection = connect();
    connection.write(request());
    await connection.responded();
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
    await connection.responded();
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
    await connection.responded();
    connection.write(LIVE);
    await until(() => connection.statuses().length === 2);
    expect(connection.statuses()).toEqual([401, 200]);
    connection.socket.destroy();
  });
});

describe('the form of a target', () => {
  it('does not matter: absolute ones are metered and handled like others', async () => {
    const connection = connect();
    connection.write(
      `GET http://petstore.example/v1/pets/0 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await connection.responded();
    expect(connection.statuses()).toEqual([404]);
    expect(connection.text).toContain('"pet_not_found"');
    connection.text = '';
    connection.write('OPTIONS http://petstore.example/v1/pets HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.responded();
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

describe('a response that nobody reads', () => {
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
