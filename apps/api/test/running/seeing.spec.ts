import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
/** The one of the running service. */
const PEPPER = 'pepper-of-the-end-to-end-tests';

const spans: string[] = [];
const collector = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text: string) => spans.push(text));
  request.on('end', () => response.end('{}'));
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const { running, client } = await serve({
  OPS_PORT: '0',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
});
afterAll(() => {
  collector.close();
});
const operations = running.service.management ?? '';

interface Line {
  readonly msg: string;
  readonly requestId?: string;
  readonly traceId?: string;
  readonly keyId?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly ms?: number;
  readonly bytes?: number;
  readonly reason?: string;
}

const logged = (): Line[] => running.lines.map((line) => JSON.parse(line) as Line);

/** Resolves to the line of the request with this id, which comes a moment after its response. */
async function lineOf(requestId: string): Promise<Line> {
  const find = (): Line | undefined =>
    logged().find((each) => each.requestId === requestId && each.operation !== undefined);
  await until(() => find() !== undefined);
  return find() ?? { msg: '' };
}

const scrape = async (): Promise<string> => (await fetch(`${operations}/metrics`)).text();

describe('the log', () => {
  it('has one line for a served request: who, what, how long', async () => {
    const headers = { 'X-Request-Id': 'seeing-list-1', traceparent: TRACEPARENT };
    const reply = await client.get('/v1/pets?limit=3', { headers });
    const line = await lineOf('seeing-list-1');
    expect(line).toMatchObject({
      msg: 'request',
      traceId: TRACE,
      operation: 'listPets',
      method: 'GET',
      status: 200,
      bytes: Buffer.byteLength(reply.text),
    });
    expect(line.keyId).toMatch(/^key_/);
    expect(line.ms).toBeGreaterThan(0);
    expect(logged().filter(({ requestId }) => requestId === 'seeing-list-1')).toHaveLength(1);
  });

  it.each([
    ['POST', '/v1/pets', 'createPet', 'validation_failed'],
    ['GET', '/v1/pets/999999', 'getPet', 'pet_not_found'],
    ['HEAD', '/v1/pets', 'listPets', undefined],
    ['DELETE', '/v1/pets', 'unmatched', 'method_not_allowed'],
    ['OPTIONS', '/v1/pets', 'options', undefined],
    ['GET', '/v1/somewhere', 'unmatched', 'route_not_found'],
    ['GET', '/elsewhere', 'unmatched', 'route_not_found'],
    ['GET', '/docs', 'docs', undefined],
    ['GET', '/docs/swagger-ui.css', 'docs', undefined],
    ['GET', '/', 'docs', undefined],
    ['GET', '/llms.txt', 'docs', undefined],
    ['GET', '/openapi-webhooks.json', 'docs', undefined],
    ['GET', '/readyz', 'health', undefined],
  ])('calls %s %s %s, with the code %s', async (method, path, operation, code) => {
    const requestId = `seeing-${method}-${path.replace(/\W/g, '-')}`;
    const isPost = method === 'POST';
    await client.send(path, {
      method,
      headers: { 'X-Request-Id': requestId, ...(isPost ? { 'Content-Type': 'application/json' } : {}) },
      body: isPost ? '{}' : undefined,
    });
    expect(await lineOf(requestId)).toMatchObject({ operation, method, ...(code && { code }) });
  });

  it('reports a client that disconnected before its response', async () => {
    const { port } = new URL(running.service.origin);
    const socket = net.connect(Number(port), '127.0.0.1');
    const key = await running.issueKey();
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nX-Request-Id: seeing-gone\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
    );
    // It is asked for the body: the service waits for that from here on.
    await once(socket, 'data');
    socket.resetAndDestroy();
    const line = await lineOf('seeing-gone');
    expect(line).toMatchObject({ msg: 'client disconnected', operation: 'createPet' });
    expect(line.status).toBeUndefined();
  });

  it('knows what a client was told that leaves without having sent its body', async () => {
    const { port } = new URL(running.service.origin);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nX-Request-Id: seeing-told\r\nAuthorization: Bearer wrong\r\n' +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n',
    );
    await once(socket, 'data');
    socket.destroy();
    expect(await lineOf('seeing-told')).toMatchObject({
      ...{ msg: 'request', operation: 'createPet', status: 401, code: 'invalid_api_key' },
    });
  });
});

describe('the management listener', () => {
  it('counts requests by operation and status, errors by code, and decisions of the limiter', async () => {
    await client.get('/v1/pets', { headers: { 'X-Request-Id': 'seeing-count' } });
    // Counted with its line.
    await lineOf('seeing-count');
    await client.get('/v1/pets', { key: 'wrong' });
    const text = await scrape();
    for (const series of [
      'http_request_duration_seconds_count{operation="listPets",status="200"}',
      'http_errors_total{code="invalid_api_key"}',
      'rate_limit_decisions_total{outcome="admitted",subject="key"}',
      'rate_limit_decisions_total{outcome="admitted",subject="address"}',
      'database_connections{state="idle"}',
      'ready',
    ])
      expect(text).toMatch(new RegExp(`^petstore_${series.replace(/[{}]/g, '\\$&')} [1-9]`, 'm'));
    expect(text).toMatch(/petstore_build_info\{version="[\d.]+",node="v\d+[\d.]+"\} 1/);
  });

  it('counts what is not HTTP, and not connections that are reset', async () => {
    const counted = async (): Promise<number> =>
      Number(/^petstore_http_unparsable_requests_total (\d+)$/m.exec(await scrape())?.[1]);
    const before = await counted();
    const socket = net.connect(Number(new URL(client.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await once(socket, 'close');
    await client.raw('NONSENSE\r\n\r\n');
    expect(await counted()).toBe(before + 1);
  });

  it('has no more series than operations, statuses and codes allow, whatever clients send', async () => {
    const seriesOf = async (): Promise<number> =>
      (await scrape()).split('\n').filter((line) => line.startsWith('petstore_')).length;
    await client.get('/v1/a');
    const before = await seriesOf();
    for (let i = 0; i < 50; i++) await client.get(`/v1/path-${i}?query=${i}`);
    expect(await seriesOf()).toBe(before);
  });

  it('serves nothing else, and nothing of it is on the public listener', async () => {
    expect((await fetch(`${operations}/livez`)).status).toBe(200);
    expect(await (await fetch(`${operations}/readyz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${operations}/v1/pets`)).status).toBe(404);
    expect((await fetch(`${operations}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await client.get('/metrics')).status).toBe(404);
  });
});

describe('secrets', () => {
  it('are in no line, no metric and no span of all that this file did', async () => {
    const key = await running.issueKey();
    const free = await running.issueKey({ plan: 'free' });
    const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const other = 'own-secret-of-another-form';
    for (const secret of [key, free, mistyped, other]) await client.get('/v1/pets', { key: secret });
    await client.get(`/v1/pets?api_key=${key}`);
    await client.get(`/v1/${key}`, { headers: { 'X-Api-Key': key, Cookie: `key=${key}` } });
    await client.post('/v1/pets', { name: key, categoryId: 0 });
    await client.raw(`GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nBad Header: x\r\n\r\n`);
    // 60 are admitted, and the hundredth refusal brings a ban; more while Redis seems to hang.
    for (let n = 0, text = ''; n < 400 && !text.includes('api_key_temporarily_banned'); n++)
      ({ text } = await client.get('/v1/pets', { key: free }));
    const metrics = await scrape();
    // A stop sends the spans that are left.
    await running.service.close();
    const seen = [...running.lines, ...spans, metrics].join('\n');
    expect(running.lines.length).toBeGreaterThan(200);
    expect(spans.join('')).toContain(TRACE);
    expect(seen).toContain('key banned');
    for (const secret of [key, free, mistyped, other, PEPPER, running.postgres.url]) {
      expect(seen).not.toContain(secret);
    }
  });
});
