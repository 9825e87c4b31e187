import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.js';
import { runService, type RunningService } from './running-service.js';
import { until } from './until.js';

let running: RunningService;
let client: Client;
let operations: string;

beforeAll(async () => {
  running = await runService({ OPS_PORT: '0' });
  client = await running.client();
  operations = running.service.management ?? '';
});
afterAll(() => running.close());

interface Line {
  readonly msg: string;
  readonly requestId?: string;
}

const logged = (): Line[] => running.lines.map((line) => JSON.parse(line) as Line);

const scrape = async (): Promise<string> => (await fetch(`${operations}/metrics`)).text();

describe('the management listener', () => {
  it('counts requests by operation and status, errors by code, and decisions of the limiter', async () => {
    await client.get('/v1/pets', { headers: { 'X-Request-Id': 'seeing-count' } });
    // Counted with its line, which comes a moment after its response.
    await until(() => logged().some(({ requestId }) => requestId === 'seeing-count'));
    await client.get('/v1/pets', { key: 'wrong' });
    const text = await scrape();
    expect(text).toMatch(
      /petstore_http_request_duration_seconds_count\{operation="listPets",status="200"\} \d/,
    );
    expect(text).toMatch(/petstore_http_errors_total\{code="invalid_api_key"\} \d/);
    expect(text).toMatch(/petstore_rate_limit_decisions_total\{outcome="admitted",subject="key"\} \d/);
    expect(text).toMatch(/petstore_rate_limit_decisions_total\{outcome="admitted",subject="address"\} \d/);
    expect(text).toMatch(/petstore_build_info\{version="[\d.]+",node="v\d+[\d.]+"\} 1/);
    expect(text).toMatch(/petstore_database_connections\{state="idle"\} [1-9]/);
    expect(text).toContain('petstore_ready 1');
  });

  it('counts what is not HTTP', async () => {
    const counted = async (): Promise<number> =>
      Number(/^petstore_http_unparsable_requests_total (\d+)$/m.exec(await scrape())?.[1]);
    const before = await counted();
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

describe('what is unavailable', () => {
  it('is degraded but ready without Redis, and says so on both listeners, in the log and in metrics', async () => {
    running.redis.pause();
    try {
      await client.get('/v1/pets');
      const report = { status: 'degraded', reasons: ['redis'] };
      expect(await (await fetch(`${operations}/readyz`)).json()).toEqual(report);
      expect(JSON.parse((await client.get('/readyz')).text)).toEqual(report);
      const text = await scrape();
      expect(text).toContain('petstore_rate_limit_degraded_nodes 1');
      expect(text).toMatch(/petstore_rate_limit_degraded_seconds_total 0\.\d+|[1-9]/);
      expect(logged().some(({ msg }) => msg.startsWith('redis unavailable'))).toBe(true);
    } finally {
      running.redis.resume();
      // The service comes back by itself; what follows counts on it.
      while ((await (await fetch(`${operations}/readyz`)).text()) !== '{"status":"ok"}') await sleep(20);
    }
    const isBack = (): boolean => logged().some(({ msg }) => msg.startsWith('redis available'));
    for (const until = Date.now() + 5_000; !isBack() && Date.now() < until;) await sleep(5);
    expect(isBack()).toBe(true);
    expect(await (await fetch(`${operations}/readyz`)).json()).toEqual({ status: 'ok' });
  });

  it('is not ready while the schema lacks a migration', async () => {
    const name = 'InitialSchema1795478400000';
    const rename = async (from: string, to: string): Promise<void> => {
      const { Client: Postgres } = await import('pg');
      const session = new Postgres({ connectionString: running.postgres.url });
      await session.connect();
      await session.query('update schema_migrations set name = $2 where name = $1', [from, to]);
      await session.end();
    };
    await rename(name, 'other');
    const reply = await fetch(`${operations}/readyz`);
    expect(reply.status).toBe(503);
    expect(await reply.json()).toEqual({ status: 'unavailable', reasons: ['migrations'] });
    expect((await client.get('/readyz')).status).toBe(503);
    expect(await scrape()).toContain('petstore_ready 0');
    await rename('other', name);
    expect((await fetch(`${operations}/readyz`)).status).toBe(200);
    const changes = logged().filter(({ msg }) => msg === 'readiness changed');
    expect(changes.slice(-2)).toMatchObject([
      { level: 40, status: 'unavailable', reasons: ['migrations'] },
      { level: 30, status: 'ok' },
    ]);
  });
});
