import { afterAll, describe, expect, it } from '@jest/globals';
import { ANY_SECRET_KEY, type NewKey } from '@petstore/api-key';
import { Client as PgClient } from 'pg';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import type { HandledOperation } from '../../src/operations/operation.js';
import { API_BASE_PATH } from '../../src/paths.js';
import { errorsOf } from '../../src/operations/operation.errors.js';
import type { Client, Reply } from '../support/client.js';
import { expectError, expectLimitHeaders } from '../support/contract.js';
import { errorOf, registry } from '../support/declared-operations.js';
import { parseReply } from '../support/raw-connection.js';
import { runService, serve } from '../support/running-service.js';
import { act, addPet, ORDERS, place } from '../support/shop.js';

/** A day after the removal date, so that the deprecated operations are gone. */
const AFTER_SUNSET = Date.parse('2030-12-06T00:00:00Z');
const GREATEST = '9223372036854775807';
/** Of every member that any body has a value that is not allowed. */
const INVALID = { name: '', species: '', reason: '', url: '', overlapHours: -1, after: -1 };
/** The most requests of a Free key until it is refused with any code: its limit, the ban's, and what a slow moment adds. */
const MAX_REQUESTS = 60 + 100 + 100;
/** The table that the operations below a path cannot do without. */
const TABLES: readonly (readonly [path: string, table: string])[] = [
  ['/pets', 'pets'],
  ['/categories', 'categories'],
  ['/store/orders', 'orders'],
  ['/store/inventory', 'inventory'],
  ['/events', 'events'],
  ['/usage', 'api_key_usage'],
  ['/webhooks', 'webhooks'],
];

const { running, client } = await serve({}, { responseTimeoutMs: 5_000 });
const sql = new PgClient(running.postgres.url);
// Its connection breaks with the database in the last tests.
sql.on('error', () => undefined);
await sql.connect();
afterAll(() => sql.end());

/** What a request is beside what its operation says. */
interface Sent {
  readonly by?: Client;
  /** For parameters in the path. */
  readonly id?: string | number | undefined;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request of the operation that would succeed, but for what is said. */
function send({ method, path, body: documented }: HandledOperation, sent: Sent = {}): Promise<Reply> {
  const [example] = Object.values(documented?.examples ?? {});
  const { by = client, id = 1, query = '', headers = {}, body = example?.value } = sent;
  const target = API_BASE_PATH + path.replaceAll(/:\w+/g, String(id)) + query;
  return body === undefined
    ? by.send(target, { method, headers })
    : by.post(target, body, { method, headers });
}

const clients = new Map<string, Promise<Client>>();

const SITE = 'https://shelter.example';
const PAGE: Partial<NewKey> = { plan: 'business', origins: [SITE] };

/** A client that several tests send with, made when it is first asked for. */
function shared(name: string, key: Partial<NewKey>): Promise<Client> {
  const made = clients.get(name) ?? running.client(key);
  clients.set(name, made);
  return made;
}

/** A client whose Free key is refused with this code now. */
async function refused(code: string): Promise<Client> {
  const free = await shared(code, { plan: 'free' });
  for (let i = 0; i < MAX_REQUESTS; i++) {
    const { text } = await free.get('/v1/unknown');
    if (text.includes(`"${code}"`)) break;
  }
  return free;
}

const putCategory = (id: string | number, name: string): Promise<Reply> =>
  client.post(`/v1/categories/${id}`, { name }, { method: 'PUT' });

let webhook = 0;

/** Id of a new webhook, which replaces the one before. */
async function addWebhook(): Promise<number> {
  await client.delete(`/v1/webhooks/${webhook}`);
  const { text } = await client.post('/v1/webhooks', { url: `https://shop-${webhook}.example/` });
  return (webhook = (JSON.parse(text) as { id: number }).id);
}

/** What makes something that the operations below a path can be about, and returns its id. */
const MAKERS: readonly (readonly [path: string, make: () => Promise<number>])[] = [
  ['/webhooks', addWebhook],
  ['/store/orders', async () => (await place(client)).id],
  ['/pets', () => addPet(client)],
  ['/categories', async () => (await putCategory(5, 'Birds'), 5)],
];

/** Id of something that exists, for any operation; `undefined` for one whose path has none. */
async function existing({ path }: HandledOperation): Promise<number | undefined> {
  return path.includes(':') ? belowPath(MAKERS, path, 'MAKERS')() : undefined;
}

/** What a list above says for a path. */
function belowPath<T>(list: readonly (readonly [path: string, value: T])[], path: string, name: string): T {
  const [, value] = list.find(([prefix]) => path.startsWith(prefix)) ?? [];
  if (value === undefined) throw new Error(`Say in ${name} above what holds below ${path}.`);
  return value;
}

type Way = (operation: HandledOperation) => Promise<Reply>;
const asItIs: Way = (operation) => send(operation);
const unknownId: Way = (operation) => send(operation, { id: GREATEST });
const withHeaders =
  (headers: Readonly<Record<string, string>>): Way =>
  (operation) =>
    send(operation, { headers });
const by =
  (code: string): Way =>
  async (operation) =>
    send(operation, { by: await refused(code) });

/** What brings each error about, for any operation that responds with it. */
const ways: Readonly<Record<string, Way>> = {
  invalid_json: (operation) => send(operation, { body: '{' }),
  validation_failed: (operation) => send(operation, { body: INVALID }),
  invalid_parameter: async (operation) =>
    send(operation, { id: await existing(operation), headers: { 'Idempotency-Key': ' ', 'If-Match': 'x' } }),
  invalid_cursor: (operation) => send(operation, { query: '?cursor=x' }),
  bad_request: async () => parseReply(await client.raw('GARBAGE\r\n\r\n')),
  missing_api_key: withHeaders({ Authorization: '' }),
  invalid_api_key: withHeaders({ Authorization: 'Bearer wrong' }),
  insufficient_scope: async (operation) => {
    if (operation.scope === ANY_SECRET_KEY)
      return send(operation, { by: await shared('page', PAGE), headers: { Origin: SITE } });
    const scopes = PETSTORE_SCOPES.all.filter((scope) => scope !== operation.scope).slice(0, 1);
    return send(operation, { by: await shared(scopes.join(), { scopes }) });
  },
  origin_not_allowed: async (operation) => send(operation, { by: await shared('page', PAGE) }),
  rate_limit_exceeded: by('rate_limit_exceeded'),
  api_key_temporarily_banned: by('api_key_temporarily_banned'),
  payload_too_large: (operation) => send(operation, { body: 'x'.repeat(17_000) }),
  uri_too_long: (operation) => send(operation, { query: `?x=${'x'.repeat(9_000)}` }),
  headers_too_large: withHeaders({ 'X-Large': 'x'.repeat(17_000) }),
  unsupported_media_type: withHeaders({ 'Content-Type': 'text/plain' }),
  route_not_found: () => client.get('/v1/unknown'),
  method_not_allowed: () => client.delete('/v1/pets'),
  operation_removed: async (operation) => {
    const later = await runService({ GET_PET_AFTER_SUNSET: 'remove' }, { now: () => AFTER_SUNSET });
    const reply = await send(operation, { by: await later.client() });
    await later.close();
    return reply;
  },
  precondition_failed: async (operation) =>
    send(operation, { id: await existing(operation), headers: { 'If-Match': '"x"' } }),
  idempotency_key_reused: async (operation) => {
    const headers = { 'Idempotency-Key': 'used' };
    await client.post('/v1/pets', { name: 'Mia', categoryId: 1 }, { headers });
    return send(operation, { headers });
  },
  idempotency_in_progress: async (operation) => {
    await sql.query('begin');
    await sql.query(
      `select pg_advisory_xact_lock(hashtextextended(id || ' busy', 0)) from api_keys order by created_at limit 1`,
    );
    try {
      return await send(operation, { headers: { 'Idempotency-Key': 'busy' } });
    } finally {
      await sql.query('rollback');
    }
  },
  position_gone: async (operation) => {
    if (operation.method === 'GET') return send(operation, { query: `?after=${GREATEST}` });
    return send(operation, { id: await addWebhook(), body: `{"after":${GREATEST}}` });
  },

  pet_not_found: unknownId,
  invalid_status_transition: async (operation) =>
    send(operation, { id: await addPet(client, 'sold'), body: { status: 'pending' } }),
  pet_held_by_order: async (operation) =>
    send(operation, { id: (await place(client)).petId, body: { status: 'sold' } }),
  category_not_found: (operation) => send(operation, { id: operation.method === 'PUT' ? 'x' : GREATEST }),
  category_name_taken: async (operation) => {
    await putCategory(9, 'Wasps');
    return send(operation, { id: 8, body: { name: ' WASPS' } });
  },
  category_in_use: async (operation) => {
    await addPet(client, 'available', 1);
    await putCategory(1, 'Dogs');
    return asItIs(operation);
  },
  order_not_found: unknownId,
  pet_not_available: async (operation) => send(operation, { body: { petId: await addPet(client, 'sold') } }),
  invalid_order_transition: async (operation) => {
    const { id } = await place(client);
    await act(client, id, operation.id === 'cancelOrder' ? 'decline' : 'cancel');
    return send(operation, { id });
  },
  order_limit_reached: async (operation) => {
    const { origin } = await running.another({ MAX_OPEN_ORDERS_PER_KEY: '1' });
    const other = running.connect(await running.issueKey(), origin);
    await other.post(ORDERS, { petId: await addPet(client) });
    return send(operation, { by: other, body: { petId: await addPet(client) } });
  },
  webhook_not_found: unknownId,
  // A new webhook has no deliveries.
  delivery_not_found: async (operation) => send(operation, { id: await addWebhook() }),
  webhook_limit_reached: async (operation) => {
    const other = await running.client();
    for (let n = 1; n <= 10; n++) await other.post('/v1/webhooks', { url: `https://shop-${n}.example/` });
    return send(operation, { by: other });
  },
  webhook_url_taken: async (operation) => {
    const url = 'https://taken.example/';
    await client.post('/v1/webhooks', { url });
    return send(operation, { id: await addWebhook(), body: { url } });
  },
  webhook_disabled: async (operation) => {
    const id = await addWebhook();
    // With the id of the webhook, since all ids of a path are the same here.
    await sql.query('delete from webhook_deliveries where id = $1', [id]);
    await sql.query(
      `insert into webhook_deliveries (id, webhook_id, position, type, status) overriding system value
       values ($1, $1, 1, 'pet.created', 'failed')`,
      [id],
    );
    await client.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
    return send(operation, { id });
  },

  internal_error: async (operation) => {
    const table = belowPath(TABLES, operation.path, 'TABLES');
    await sql.query(`alter table ${table} rename to elsewhere`);
    const reply = await asItIs(operation);
    await sql.query(`alter table elsewhere rename to ${table}`);
    return reply;
  },
  // Among the last: the database does not come back.
  service_unavailable: async (operation) => {
    await running.postgres.stop();
    return asItIs(operation);
  },
};

/** For their form requests are refused before there is an operation, or a request that consumes. */
const FROM_PARSER = ['bad_request', 'uri_too_long', 'headers_too_large'];
/** What harms the database comes after everything else. */
const HARMFUL = ['internal_error', 'service_unavailable'];
const declared = registry.operations.flatMap((operation) =>
  errorsOf(operation)
    .filter(({ code }) => !FROM_PARSER.includes(code))
    .map(({ code }) => ({ where: operation.id, code, operation })),
);
/** The errors where there is no operation, or before it is known. */
const others = registry.errors
  .filter(({ code }) => !declared.some((each) => each.code === code))
  .flatMap(({ code }) =>
    registry.operations.slice(0, 1).map((operation) => ({ where: 'no operation', code, operation })),
  );
const cases = [...declared, ...others].sort((a, b) => HARMFUL.indexOf(a.code) - HARMFUL.indexOf(b.code));

describe('every error that an operation declares', () => {
  it.each(cases)('$where: $code can be met over HTTP, in the one form', async ({ code, operation }) => {
    const way = ways[code];
    if (way === undefined) throw new Error(`Say above what brings ${code} about.`);
    const reply = await way(operation);
    expectError(reply, code);
    if (!FROM_PARSER.includes(code)) {
      expectLimitHeaders(reply);
      expect(reply.headers.vary).toBe('Origin, Authorization');
    }
    const fields = ['Retry-After', 'WWW-Authenticate', 'Allow', 'ETag'];
    const { headers = [] } = errorOf(code);
    const expected = fields.filter((name) => headers.some((header) => header.name === name));
    expect(fields.filter((name) => name.toLowerCase() in reply.headers)).toEqual(expected);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toMatch(/select|relation|Error:|\bat \/|node_modules/i);
  });
});
