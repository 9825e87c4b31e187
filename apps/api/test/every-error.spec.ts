import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as PgClient } from 'pg';
import { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from '@petstore/http-kernel';
import type { Client } from './client.js';
import { type Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { runService, type RunningService } from './running-service.js';

/** A day after the removal date, so that the deprecated operation is gone. */
const AFTER_SUNSET = Date.parse('2030-12-06T00:00:00Z');

let running: RunningService;
let client: Client;
let sql: PgClient;

beforeAll(async () => {
  running = await runService({ GET_PET_AFTER_SUNSET: 'remove' }, () => AFTER_SUNSET);
  client = await running.client();
  sql = new PgClient(running.postgres.url);
  // Its connection breaks with the database in the last test.
  sql.on('error', () => undefined);
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await running.close();
});

const body = { name: 'Rex', categoryId: 1 };
const once = (key: string, name = 'Rex'): Promise<Reply> =>
  client.post('/v1/pets', { ...body, name }, { headers: { 'Idempotency-Key': key } });

/** What brings each error about. Adding a code to the catalogue without a row here does not compile. */
const ways: Record<ErrorCode, () => Promise<Reply>> = {
  invalid_json: () => client.post('/v1/pets', '{'),
  validation_failed: () => client.post('/v1/pets', {}),
  invalid_parameter: () => client.get('/v1/pets?limit=0'),
  invalid_cursor: () => client.get('/v1/pets?cursor=x'),
  bad_request: async () => {
    const answer = await client.raw('GARBAGE\r\n\r\n');
    const [head = '', text = ''] = answer.split('\r\n\r\n');
    const fields = head
      .split('\r\n')
      .slice(1)
      .map((field) => field.split(': '));
    const headers = Object.fromEntries(
      fields.map(([name = '', value]) => [name.toLowerCase(), value]),
    ) as Reply['headers'];
    return { status: Number(head.split(' ')[1]), headers, text };
  },
  missing_api_key: () => client.get('/v1/pets', { headers: { Authorization: '' } }),
  invalid_api_key: () => client.get('/v1/pets', { headers: { Authorization: 'Bearer wrong' } }),
  insufficient_scope: async () => (await running.client({ scopes: ['pets:read'] })).post('/v1/pets', body),
  // The deprecated operation is gone here; an instance of its own would find no animal.
  pet_not_found: async () => {
    const other = await runService();
    const reply = await (await other.client()).get('/v1/pets/1');
    await other.close();
    return reply;
  },
  route_not_found: () => client.get('/v1/unknown'),
  method_not_allowed: () => client.send('/v1/pets', { method: 'DELETE' }),
  idempotency_in_progress: async () => {
    const { id } = await currentKey();
    await sql.query('begin');
    await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify([id, 'busy'])]);
    const reply = await once('busy');
    await sql.query('rollback');
    return reply;
  },
  operation_removed: () => client.get('/v1/pets/1'),
  payload_too_large: () => client.post('/v1/pets', 'x'.repeat(17_000)),
  uri_too_long: () => client.get(`/v1/pets?x=${'x'.repeat(9_000)}`),
  unsupported_media_type: () => client.post('/v1/pets', body, { headers: { 'Content-Type': 'text/plain' } }),
  idempotency_key_reused: async () => {
    await once('used');
    return once('used', 'Mia');
  },
  rate_limit_exceeded: async () => exhausted(60),
  api_key_temporarily_banned: async () => exhausted(60 + 100),
  headers_too_large: () => client.get('/v1/pets', { headers: { 'X-Large': 'x'.repeat(17_000) } }),
  internal_error: async () => {
    await sql.query('alter table pets rename to elsewhere');
    const reply = await client.get('/v1/pets');
    await sql.query('alter table elsewhere rename to pets');
    return reply;
  },
  // The last one: the database does not come back.
  service_unavailable: async () => {
    await running.postgres.stop();
    return client.get('/v1/pets');
  },
};

async function currentKey(): Promise<{ id: string }> {
  const { rows } = await sql.query<{ id: string }>(`select id from api_keys order by created_at limit 1`);
  return rows[0] ?? { id: '' };
}

/** The answer to one request more than `requests` on a fresh Free key. */
async function exhausted(requests: number): Promise<Reply> {
  const free = await running.client({ plan: 'free' });
  for (let i = 0; i < requests; i++) await free.get('/v1/unknown');
  return free.get('/v1/pets');
}

describe('every error of the catalogue', () => {
  it.each(ERROR_CODES)('%s can be met over HTTP, in the one form', async (code) => {
    const reply = await ways[code]();
    expectError(reply, code);
    const { status } = ERROR_CATALOGUE[code];
    // The parser refuses before there is a request to meter.
    if (code !== 'bad_request' && code !== 'headers_too_large') expectLimitHeaders(reply);
    expect('retry-after' in reply.headers).toBe([409, 429, 503].includes(status));
    expect('www-authenticate' in reply.headers).toBe([401, 403].includes(status));
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toMatch(/select|relation|Error:|\bat \/|node_modules/i);
  });
});
