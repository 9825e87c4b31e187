import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as PgClient } from 'pg';
import type { HttpErrorCode } from '@petstore/http-server';
import { PETSTORE_SCOPES } from '../src/access/petstore-scopes.js';
import type { ApiKeyErrorCode } from '../src/access/api-key.errors.js';
import type { RateLimitErrorCode } from '../src/access/rate-limit.errors.js';
import { API_BASE_PATH, type HandledOperation } from '../src/operations/operation.js';
import type { OperationErrorCode } from '../src/operations/operation.errors.js';
import type { EventErrorCode } from '../src/events/event.errors.js';
import type { CategoryErrorCode } from '../src/categories/category.errors.js';
import type { OrderErrorCode } from '../src/orders/order.errors.js';
import type { PetErrorCode } from '../src/pets/pet.errors.js';
import type { WebhookErrorCode } from '../src/webhooks/webhook.errors.js';
import { Client, type Reply } from './client.js';
import { expectError, expectLimitHeaders } from './contract.js';
import { garbage } from './garbage.js';
import { cases } from './declared-errors.js';
import { errorOf } from './declared-operations.js';
import { NEW_PET, samples } from './operation-samples.js';
import { runService, type RunningService } from './running-service.js';
import { SharedClients } from './shared-clients.js';
import { addWebhook, type Ask, type Way, webhookErrorWays } from './webhook-errors.js';

/** A day after the removal date, so that the deprecated operations are gone. */
const AFTER_SUNSET = Date.parse('2030-12-06T00:00:00Z');

let running: RunningService;
let client: Client;
let sql: PgClient;
const shared = new SharedClients(() => running);

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  sql = new PgClient(running.postgres.url);
  // Its connection breaks with the database in the last tests.
  sql.on('error', () => undefined);
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await running.close();
});

const body = NEW_PET;
/** Of every member that any body has a value that is not allowed. */
const INVALID = { name: '', reason: '', url: '', overlapHours: -1, after: -1 };

/** Sends a request of the operation that would succeed, but for what is said. */
function ask({ id: operationId, method, path }: HandledOperation, sent: Ask = {}): Promise<Reply> {
  const { by = client, id = '1', query = '', headers, body = samples[operationId]?.body } = sent;
  const target = API_BASE_PATH + path.replaceAll(/:\w+/g, id) + query;
  if (body === undefined) return by.send(target, { method, ...(headers && { headers }) });
  return by.post(target, body, { method, ...(headers && { headers }) });
}

/** What brings each error about, for any operation that responds with it. A code without a row does not compile. */
const ways: Record<
  | HttpErrorCode
  | ApiKeyErrorCode
  | RateLimitErrorCode
  | OperationErrorCode
  | PetErrorCode
  | EventErrorCode
  | CategoryErrorCode
  | OrderErrorCode
  | WebhookErrorCode,
  Way
> = {
  invalid_json: (operation) => ask(operation, { body: '{' }),
  validation_failed: (operation) => ask(operation, { body: INVALID }),
  invalid_parameter: (operation) =>
    operation.method === 'GET'
      ? ask(operation, { query: '?limit=0&categoryId=0' })
      : ask(operation, { headers: { 'Idempotency-Key': ' ', 'If-Match': 'x' } }),
  invalid_cursor: (operation) => ask(operation, { query: '?cursor=x' }),
  bad_request: () => garbage(client),
  missing_api_key: (operation) => ask(operation, { headers: { Authorization: '' } }),
  invalid_api_key: (operation) => ask(operation, { headers: { Authorization: 'Bearer wrong' } }),
  insufficient_scope: async (operation) => {
    const other = PETSTORE_SCOPES.all.find((scope) => scope !== operation.scope);
    return ask(operation, { by: await shared.withScopes(other === undefined ? [] : [other]) });
  },
  pet_not_found: (operation) => ask(operation, { id: '9223372036854775807' }),
  precondition_failed: async (operation) => {
    const id = operation.path.startsWith('/webhooks') ? await addWebhook(client) : await created('available');
    await client.post(`/v1/categories/${id}`, { name: `Category ${id}` }, { method: 'PUT' });
    return ask(operation, { id, headers: { 'If-Match': '"x"' } });
  },
  invalid_status_transition: async (operation) => {
    const id = await created('sold');
    return ask(operation, { id, body: { status: 'pending' } });
  },
  position_gone: async (operation) => {
    if (operation.method === 'GET') return ask(operation, { query: '?after=9223372036854775807' });
    return ask(operation, { id: await addWebhook(client), body: '{"after":9223372036854775807}' });
  },
  pet_held_by_order: async (operation) => {
    const id = await reserved();
    return ask(operation, { id, body: { status: 'sold' } });
  },
  category_not_found: (operation) =>
    operation.method === 'PUT' ? ask(operation, { id: 'x' }) : ask(operation, { id: '9223372036854775807' }),
  category_name_taken: async (operation) => {
    await client.post('/v1/categories/9', { name: 'Wasps' }, { method: 'PUT' });
    return ask(operation, { id: '8', body: { name: ' WASPS' } });
  },
  category_in_use: async (operation) => {
    await created('available');
    await client.post('/v1/categories/1', { name: 'Dogs' }, { method: 'PUT' });
    return ask(operation, { id: '1' });
  },
  order_not_found: (operation) => ask(operation, { id: '9223372036854775807' }),
  pet_not_available: async (operation) => ask(operation, { body: { petId: Number(await created('sold')) } }),
  invalid_order_transition: async (operation) => {
    const { text } = await client.post('/v1/store/orders', { petId: Number(await created('available')) });
    const id = /"id":(\d+)/.exec(text)?.[1] ?? '';
    const ended = operation.id === 'cancelOrder' ? 'decline' : 'cancel';
    await client.send(`/v1/store/orders/${id}/${ended}`, { method: 'POST' });
    return ask(operation, { id });
  },
  order_limit_reached: async (operation) => {
    const { origin } = await running.another({ MAX_OPEN_ORDERS_PER_KEY: '1' });
    const by = new Client(origin, await running.issueKey());
    const pets = [await created('available'), await created('available')].map(Number);
    await by.post('/v1/store/orders', { petId: pets[0] });
    const reply = await ask(operation, { by, body: { petId: pets[1] } });
    by.close();
    return reply;
  },
  ...webhookErrorWays(ask, () => ({ running, client, sql })),
  route_not_found: () => client.get('/v1/unknown'),
  method_not_allowed: () => client.send('/v1/pets', { method: 'DELETE' }),
  idempotency_in_progress: async (operation) => {
    const { id } = await currentKey();
    await sql.query('begin');
    await sql.query(
      `insert into idempotent_requests (caller, token, operation, fingerprint) values ($1, 'busy', $2, sha256(''))`,
      [id, operation.id],
    );
    const reply = await ask(operation, { headers: { 'Idempotency-Key': 'busy' } });
    await sql.query('rollback');
    return reply;
  },
  operation_removed: async (operation) => {
    const later = await runService({ GET_PET_AFTER_SUNSET: 'remove' }, () => AFTER_SUNSET);
    const reply = await ask(operation, { by: await later.client() });
    await later.close();
    return reply;
  },
  payload_too_large: (operation) => ask(operation, { body: 'x'.repeat(17_000) }),
  uri_too_long: (operation) => ask(operation, { query: `?x=${'x'.repeat(9_000)}` }),
  unsupported_media_type: (operation) => ask(operation, { headers: { 'Content-Type': 'text/plain' } }),
  idempotency_key_reused: async (operation) => {
    const headers = { 'Idempotency-Key': 'used' };
    await client.post('/v1/pets', { ...body, name: 'Mia' }, { headers });
    return ask(operation, { headers });
  },
  rate_limit_exceeded: async (operation) =>
    ask(operation, { by: await shared.refused('rate_limit_exceeded', operation.path.split('/')[1]) }),
  api_key_temporarily_banned: async (operation) =>
    ask(operation, { by: await shared.refused('api_key_temporarily_banned') }),
  headers_too_large: (operation) => ask(operation, { headers: { 'X-Large': 'x'.repeat(17_000) } }),
  internal_error: async (operation) => {
    const { table = '' } = samples[operation.id] ?? {};
    await sql.query(`alter table ${table} rename to elsewhere`);
    const reply = await ask(operation);
    await sql.query(`alter table elsewhere rename to ${table}`);
    return reply;
  },
  // Among the last: the database does not come back.
  service_unavailable: async (operation) => {
    await running.postgres.stop();
    return ask(operation);
  },
};

/** Id of a new animal. */
async function created(status: string): Promise<string> {
  const { text } = await client.post('/v1/pets', { ...body, status });
  return /"id":(\d+)/.exec(text)?.[1] ?? '';
}

/** Id of an animal that an order holds. */
async function reserved(): Promise<string> {
  const id = await created('available');
  await client.post('/v1/store/orders', { petId: Number(id) });
  return id;
}

async function currentKey(): Promise<{ id: string }> {
  const { rows } = await sql.query<{ id: string }>(`select id from api_keys order by created_at limit 1`);
  return rows[0] ?? { id: '' };
}

describe('every error that an operation declares', () => {
  it.each(cases)('$where: $code can be met over HTTP, in the one form', async ({ code, operation }) => {
    const way = (ways as Partial<Record<string, Way>>)[code];
    if (way === undefined) throw new Error(`Say above what brings ${code} about.`);
    const reply = await way(operation);
    expectError(reply, code);
    const { headers = [] } = errorOf(code);
    // The parser refuses before there is a request to meter.
    if (code !== 'bad_request' && code !== 'headers_too_large') {
      expectLimitHeaders(reply);
      expect(reply.headers.vary).toBe('Origin, Authorization');
    }
    const fields = ['Retry-After', 'WWW-Authenticate', 'Allow', 'ETag'];
    const declared = fields.filter((name) => headers.some((header) => header.name === name));
    expect(fields.filter((name) => name.toLowerCase() in reply.headers)).toEqual(declared);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toMatch(/select|relation|Error:|\bat \/|node_modules/i);
  });
});
