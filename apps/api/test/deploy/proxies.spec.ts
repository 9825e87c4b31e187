import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { freePort } from '@petstore/test-servers';
import { Client, type Reply } from '../support/client.js';
import { errorOf } from '../support/declared-operations.js';
import { metricsOf } from '../support/metrics.js';
import { RawConnection } from '../support/raw-connection.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type ShippedProxy, startShippedProxy } from './shipped-proxy.js';

/** Requests that an instance works on at a time; of one key, a quarter. */
const MOST = 8;
const BODY = JSON.stringify({ name: 'Rex', categoryId: 1 });

// The addresses that clients of a test connect from are their own.
const { running } = await serve({
  MAX_CONCURRENT_REQUESTS: String(MOST),
  OPS_PORT: '0',
  TRUSTED_PROXIES: '127.0.0.1',
});
const instances = [running.service, await running.another()];
const key = await running.issueKey();

/** The response is of the proxy's own making, in the form of the contract, and a page of any origin can read it. */
function expectOwnError(reply: Reply, code: string): void {
  const { status, message, ...others } = JSON.parse(reply.text) as Record<string, unknown>;
  expect({ ...others, status: reply.status }).toEqual({ code, status: errorOf(code).status });
  expect([status, message]).toEqual([reply.status, expect.stringMatching(/^[A-Z].*\.$/)]);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
    'x-request-id': expect.stringMatching(/^[\w-]{8,64}$/),
  });
  expect(reply.headers['retry-after']).toBe(code === 'service_unavailable' ? '1' : undefined);
}

/** A creation whose last byte is still to come. */
const unfinished = (): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, -1)}`;

describe.each([
  ['nginx', 64],
  ['haproxy', 200],
] as const)('%s as it is shipped', (kind, most) => {
  let proxy: ShippedProxy;
  let client: Client;
  beforeAll(async () => {
    proxy = await startShippedProxy(
      kind,
      instances.map(({ origin }) => origin),
    );
    client = new Client(proxy.origin, key);
    // HAProxy's checks have found the instances.
    await until(async () => (await client.get('/readyz')).status === 200);
  });
  afterAll(async () => {
    client.close();
    await proxy.stop();
  });

  it('passes on what a client sends, its address and a request id that is one', async () => {
    const created = await client.post('/v1/pets', BODY, { headers: { 'X-Request-Id': 'request-of-a-test' } });
    expect(created).toMatchObject({ status: 201, headers: { 'x-request-id': 'request-of-a-test' } });
    expect(created.headers['access-control-allow-origin']).toBeUndefined();
    const other = await client.get('/v1//pets', { headers: { 'X-Request-Id': 'a b' } });
    expect(other).toMatchObject({
      status: 404,
      headers: { 'x-request-id': expect.stringMatching(/^[\w-]{8,64}$/) },
    });
    const left = async (from: string): Promise<number> => {
      const anonymous = new Client(proxy.origin, undefined, from);
      const { headers } = await anonymous.get('/v1/pets', { headers: { 'X-Forwarded-For': randomUUID() } });
      anonymous.close();
      return Number(headers['x-ratelimit-remaining']);
    };
    const before = await left('127.0.3.1');
    expect(await left('127.0.3.2')).toBeGreaterThanOrEqual(before);
    // Each instance counts by itself: one of the next requests is the second of this address there.
    await until(async () => (await left('127.0.3.1')) < before);
  });

  it('gives an instance no request whose body has not arrived', async () => {
    const slow = new RawConnection(proxy.origin);
    slow.write(unfinished());
    expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
    // The checks of the proxies come and go; the creation would stay.
    for (const { management = '' } of instances)
      await until(async () => (await metricsOf(management)).get('petstore_http_requests_in_flight') === 0);
    slow.write(BODY.slice(-1));
    await slow.responded();
    expect(slow.statuses()).toEqual([201]);
    slow.socket.destroy();
  });

  it(`refuses more than ${most} requests at a time of one network, an IPv6 /64, and serves others`, async () => {
    const from = (address: string): RawConnection => {
      const connection = new RawConnection(proxy.anyAddress);
      connection.write(`PROXY TCP6 ${address} 2001:db8::1 50000 443\r\n`);
      return connection;
    };
    const statusAt = async (address: string): Promise<number | undefined> => {
      const connection = from(address);
      connection.write(`GET /v1/pets?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      await connection.responded();
      connection.socket.destroy();
      return connection.statuses()[0];
    };
    const crowd = Array.from({ length: most + 5 }, (_, n) => from(`2001:db8:0:1:${n}::1`));
    for (const connection of crowd) connection.write(unfinished());
    const refused = (): RawConnection[] => crowd.filter(({ text }) => text.endsWith('}'));
    await until(() => refused().length >= 5);
    for (const connection of refused()) expectOwnError(connection.reply(), 'service_unavailable');
    expect(refused()).toHaveLength(5);
    expect(await statusAt('2001:db8:0:1:ffff::1')).toBe(503);
    expect(await statusAt('2001:db8:0:2::1')).toBe(200);
    for (const { socket } of crowd) socket.destroy();
    await until(async () => (await statusAt('2001:db8:0:1:ffff::1')) === 200);
  });

  it('takes no instance for dead because one key is refused, whatever for', async () => {
    const other = new Client(proxy.origin, await running.issueKey(), '127.0.3.3');
    const greedy = new Client(proxy.origin, key, '127.0.3.4');
    /** Refusals of instances, by status: those of the proxy itself come later. */
    const seen = new Map<number, number>();
    const large = 'x'.repeat(60_000);
    let isOver = false;
    const goOn = async (n: number): Promise<void> => {
      for (let turn = n; !isOver; turn++) {
        const { status, headers } =
          turn % 4 === 0 ? await greedy.post('/v1/pets', large) : await greedy.get('/v1/pets?limit=100');
        if (headers['access-control-allow-origin'] === undefined)
          seen.set(status, (seen.get(status) ?? 0) + 1);
      }
    };
    const crowd = Array.from({ length: 40 }, (_, n) => goOn(n));
    const statuses: number[] = [];
    await until(async () => {
      statuses.push((await other.get('/v1/categories')).status);
      return statuses.length >= 20 && (seen.get(503) ?? 0) >= 10 && (seen.get(413) ?? 0) >= 10;
    }, 50_000);
    isOver = true;
    await Promise.all(crowd);
    for (const each of [other, greedy]) each.close();
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('logs address, id and status of a request, and nothing in which a client could put its key', async () => {
    const id = randomUUID();
    await client.get(`/v1/${key}?key=${key}`, { headers: { 'X-Request-Id': id, Cookie: key, Referer: key } });
    await client.get('/v1/pets', { headers: { 'X-Request-Id': `${key}"` } });
    const line = (): Record<string, string> | undefined =>
      proxy.accesses().find(({ requestId }) => requestId === id);
    await until(() => line() !== undefined);
    expect(line()).toMatchObject({
      address: '127.0.0.1',
      status: '404',
      time: expect.stringMatching(/^20.*T/),
    });
    expect(JSON.stringify(proxy.accesses())).not.toContain(key);
  });
});

describe.each(['nginx', 'haproxy'] as const)('%s whose instances are gone', (kind) => {
  it('says so in the form of the contract', async () => {
    const proxy = await startShippedProxy(kind, [`http://127.0.0.1:${await freePort()}`]);
    const client = new Client(proxy.origin);
    expectOwnError(await client.get('/v1/pets'), 'service_unavailable');
    client.close();
    await proxy.stop();
  });
});

it('nginx itself refuses requests in the form of the contract', async () => {
  const proxy = await startShippedProxy('nginx', [running.service.origin]);
  const head = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n';
  for (const [request, code] of [
    ['no HTTP\r\n\r\n', 'bad_request'],
    ['POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n', 'payload_too_large'],
    [`${head}X: ${'x'.repeat(40_000)}\r\n\r\n`, 'headers_too_large'],
    [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'uri_too_long'],
    [head.replace('GET', 'TRACE') + '\r\n', 'method_not_allowed'],
  ] as const) {
    const connection = new RawConnection(proxy.origin);
    connection.write(request);
    await connection.responded();
    expectOwnError(connection.reply(), code);
    connection.socket.destroy();
  }
  await proxy.stop();
});
