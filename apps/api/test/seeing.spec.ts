import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import { runService, type RunningService } from './running-service.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
/** The one of the running service. */
const PEPPER = 'pepper-of-the-end-to-end-tests';

let spans: string[];
let collector: Server;
let running: RunningService;
let client: Client;
let operations: string;

beforeAll(async () => {
  spans = [];
  collector = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => spans.push(text));
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  running = await runService({
    OPS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  });
  client = await running.client();
  operations = running.service.management ?? '';
});
afterAll(async () => {
  await running.close();
  collector.close();
});

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
  for (const until = Date.now() + 5_000; Date.now() < until;) {
    const line = logged().find((each) => each.requestId === requestId && each.operation !== undefined);
    if (line !== undefined) return line;
    await sleep(5);
  }
  throw new Error(`No line of request ${requestId}.`);
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
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await sleep(200);
    socket.resetAndDestroy();
    const line = await lineOf('seeing-gone');
    expect(line).toMatchObject({ msg: 'client disconnected', operation: 'createPet' });
    expect(line.status).toBeUndefined();
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
    // 60 are admitted, and the hundredth refusal brings a ban.
    for (let i = 0; i < 170; i++) await client.get('/v1/pets', { key: free });
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
