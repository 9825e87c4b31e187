import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { Client } from '../support/client.js';
import { metricsOf } from '../support/metrics.js';
import { runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { Assistant, ERAS } from './assistant.js';

let running: RunningService;
let client: Client;
let assistant: Assistant;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  assistant = new Assistant(client);
});
afterAll(() => running.close());

type Told = Readonly<Record<string, unknown>>;
interface ListedTool extends Told {
  readonly name: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, Told>>; readonly required?: string[] };
}

/** By name, in the order of the list: the scope. */
const SCOPES = {
  search_animals: 'pets:read',
  get_animal: 'pets:read',
  list_categories: 'pets:read',
  count_animals: 'pets:read',
  list_changes: 'pets:read',
  add_animal: 'pets:write',
  change_animal: 'pets:write',
  remove_animal: 'pets:write',
  place_order: 'orders:write',
  list_orders: 'orders:read',
  get_order: 'orders:read',
  cancel_order: 'orders:write',
  decide_order: 'orders:manage',
  my_usage: undefined,
};
const NAMES = Object.keys(SCOPES);

const toolsFor = async (own: Assistant): Promise<ListedTool[]> =>
  (await own.rpc('tools/list')).result?.['tools'] as ListedTool[];

describe('the list of tools', () => {
  it('has every tool, whole, in one order, on one page', async () => {
    const tools = await toolsFor(assistant);
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const tool of tools) {
      expect(tool).toEqual({
        name: expect.stringMatching(/^[a-z_]+$/),
        title: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/^[A-Z].*\.$/s),
        inputSchema: expect.objectContaining({ type: 'object', additionalProperties: false }),
        outputSchema: expect.objectContaining({ type: 'object' }),
        annotations: {
          title: tool['title'],
          readOnlyHint: expect.any(Boolean),
          destructiveHint: expect.any(Boolean),
          idempotentHint: expect.any(Boolean),
          openWorldHint: expect.any(Boolean),
        },
      });
      // Hosts refuse whole lists for one of these.
      expect(JSON.stringify(tool)).not.toMatch(/"(?:oneOf|anyOf|allOf|\$ref)"/);
      for (const [name, { type, description }] of Object.entries(tool.inputSchema.properties)) {
        expect(name).toMatch(/^[a-z_]+$/);
        expect(description).toEqual(expect.any(String));
        if (name.endsWith('_id')) expect(type).toBe('string');
      }
    }
  });

  it('may be kept for five minutes by the clients who know of it', async () => {
    const stateless = await new Assistant(client, 'stateless').rpc('tools/list');
    expect(stateless.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
    expect(stateless.result).not.toHaveProperty('nextCursor');
    expect(stateless.result?.['tools']).toEqual(await toolsFor(assistant));
  });

  it.each(
    [...PETSTORE_SCOPES.all.map((scope) => [scope]), ['pets:read', 'orders:manage']].map((scopes) => [
      scopes,
    ]),
  )('has what a key with %j may call, and a call of another names the scope', async (scopes) => {
    const own = new Assistant(await running.client({ scopes }));
    const allowed = Object.entries(SCOPES).filter(
      ([, scope]) => scope === undefined || scopes.includes(scope),
    );
    expect((await toolsFor(own)).map(({ name }) => name)).toEqual(allowed.map(([name]) => name));
    for (const [name, scope] of Object.entries(SCOPES))
      if (!allowed.some(([each]) => each === name))
        expect(await own.refused(name)).toMatch(new RegExp(`^insufficient_scope: .*${String(scope)}`));
  });
});

describe('orders', () => {
  const animal = async (): Promise<unknown> =>
    (await assistant.use('add_animal', { name: 'Rex', category_id: '9', status: 'available' }))['id'];
  const order = async (given: object = {}): Promise<Told> =>
    assistant.use('place_order', { animal_id: await animal(), ...given });

  it('are placed as over HTTP, once for a key, and seen there', async () => {
    const animal_id = await animal();
    const given = { animal_id, reference: 'site-4711', idempotency_key: 'order-1' };
    const placed = await assistant.use('place_order', given);
    expect(placed).toEqual({
      id: expect.stringMatching(/^[0-9]+$/),
      animal_id,
      status: 'placed',
      reference: 'site-4711',
      placed_by: expect.stringMatching(/^key_/),
      placed_at: expect.any(String),
      updated_at: expect.any(String),
      expires_at: expect.any(String),
    });
    for (const era of ERAS)
      expect(await new Assistant(client, era).use('place_order', given)).toEqual(placed);
    expect(await assistant.use('get_order', { order_id: placed['id'] })).toEqual(placed);
    const { text } = await client.get(`/v1/store/orders/${String(placed['id'])}`);
    expect(JSON.parse(text)).toMatchObject({
      petId: Number(animal_id),
      reference: 'site-4711',
      status: 'placed',
    });
    expect(await assistant.refused('place_order', { animal_id })).toMatch(
      /^pet_not_available: .* Use search_animals/,
    );
    expect(await assistant.refused('place_order', { ...given, reference: 'other' })).toMatch(
      /^idempotency_key_reused: /,
    );
  });

  it('are decided on, and keep the reason of what ends them', async () => {
    const { id: order_id } = await order();
    const decide = (decision: string, reason?: string): Promise<Told> =>
      assistant.use('decide_order', { order_id, decision, ...(reason !== undefined && { reason }) });
    for (const [decision, status] of [
      ['approve', 'approved'],
      ['approve', 'approved'],
      ['deliver', 'delivered'],
    ] as const) {
      const decided = await decide(decision, 'x');
      expect([decided['status'], 'reason' in decided]).toEqual([status, false]);
    }
    expect(await assistant.refused('cancel_order', { order_id })).toMatch(
      /^invalid_order_transition: A delivered order/,
    );
    expect(await decide('return', 'Allergy')).toMatchObject({ status: 'returned', reason: 'Allergy' });
    const declined = await order();
    expect(
      await assistant.use('decide_order', {
        order_id: declined['id'],
        decision: 'decline',
        reason: 'No garden',
      }),
    ).toMatchObject({ status: 'declined', reason: 'No garden' });
    const cancelled = await order();
    expect(await assistant.use('cancel_order', { order_id: cancelled['id'], reason: 'Moved' })).toMatchObject(
      {
        status: 'cancelled',
        reason: 'Moved',
      },
    );
    expect(await assistant.refused('decide_order', { order_id, decision: 'cancel' })).toContain(
      'decision must be one of approve, decline, deliver, return',
    );
  });

  it('are listed by pages, those of others to managers only', async () => {
    const own = new Assistant(await running.client({ scopes: ['orders:read', 'orders:write'] }));
    const placed: unknown[] = [];
    for (let n = 0; n < 3; n++)
      placed.unshift((await own.use('place_order', { animal_id: await animal() }))['id']);
    const idsIn = ({ orders }: Told): unknown[] => (orders as Told[]).map(({ id }) => id);
    const first = await own.use('list_orders', { limit: 2, status: 'placed' });
    expect(idsIn(first)).toEqual(placed.slice(0, 2));
    const cursor = first['next_cursor'];
    const second = await own.use('list_orders', { cursor, status: 'placed' });
    expect([idsIn(second), 'next_cursor' in second]).toEqual([placed.slice(2), false]);
    expect(await own.refused('list_orders', { cursor })).toMatch(/^invalid_cursor: /);
    expect(await own.refused('list_orders', { cursor: 'x' })).toMatch(/^invalid_cursor: /);
    expect(idsIn(await assistant.use('list_orders', { limit: 100 }))).toEqual(expect.arrayContaining(placed));
    const { id: order_id, animal_id } = await order();
    expect(idsIn(await assistant.use('list_orders', { animal_id }))).toEqual([order_id]);
    for (const tool of ['get_order', 'cancel_order'])
      expect(await own.refused(tool, { order_id })).toBe(
        'order_not_found: No order has this id. Use list_orders to see those of this key.',
      );
  });
});

describe('what a shelter has', () => {
  it('names categories, by pages', async () => {
    for (const [id, name] of [
      [7, 'Dogs'],
      ['9223372036854775807', 'Last'],
    ] as const)
      await client.post(`/v1/categories/${id}`, { name }, { method: 'PUT' });
    expect(await assistant.use('list_categories')).toEqual({
      categories: [
        { id: '9223372036854775807', name: 'Last' },
        { id: '7', name: 'Dogs' },
      ],
    });
    for (let n = 0; n < 100; n++) await client.post('/v1/categories', { name: `Category ${n}` });
    const { next_cursor: cursor } = await assistant.use('list_categories');
    const { categories } = (await assistant.use('list_categories', { cursor })) as never as {
      categories: Told[];
    };
    expect(categories).toHaveLength(2);
    expect(await assistant.refused('list_categories', { cursor: 'x' })).toMatch(/^invalid_cursor: /);
  });

  it('counts animals', async () => {
    for (const status of ['available', 'available', 'sold'])
      await assistant.use('add_animal', { name: 'Rex', category_id: '77', status });
    await until(async () => {
      const counted = JSON.stringify(await assistant.use('count_animals', { category_id: 77 }));
      return counted === '{"available":2,"pending":0,"sold":1}';
    });
    expect(await assistant.use('count_animals', { category_id: '78' })).toEqual({
      available: 0,
      pending: 0,
      sold: 0,
    });
  });

  it('tells what has changed behind a position, and the position of now', async () => {
    const start = await assistant.use('list_changes');
    expect(start).toEqual({ changes: [], position: expect.stringMatching(/^[0-9]+$/) });
    const after = start['position'];
    const { id } = await assistant.use('add_animal', { name: 'Rex', category_id: '79', sex: 'male' });
    const changes = async (given: object = {}): Promise<Told[]> =>
      (await assistant.use('list_changes', { after, limit: 100, ...given }))['changes'] as unknown as Told[];
    const ofAnimal = async (): Promise<Told[]> =>
      (await changes()).filter(({ data }) => (data as { animal?: Told }).animal?.['id'] === id);
    await until(async () => (await ofAnimal()).length === 2);
    const animal = { id, name: 'Rex', category_id: '79', status: 'pending' };
    expect(await ofAnimal()).toEqual([
      { id: expect.any(String), type: 'pet.created', timestamp: expect.any(String), data: { animal } },
      {
        id: expect.any(String),
        type: 'pet.profile_updated',
        timestamp: expect.any(String),
        data: { animal: { ...animal, sex: 'male' } },
      },
    ]);
    expect(await changes({ limit: 1 })).toHaveLength(1);
    const { position } = await assistant.use('list_changes', { after, limit: 100 });
    const end = await assistant.use('list_changes', { after: position });
    expect(end).toEqual({ changes: [], position });
  });

  it.each([
    [/^position_gone: .*list_changes without after/, { after: '9223372036854775807' }],
    [/^validation_failed: after must be/, { after: 'latest' }],
    [/^validation_failed: after must be/, { after: -1 }],
    [/^validation_failed: limit must be a whole number from 1 to 100/, { limit: 101 }],
  ])('says what is wrong with a position: %s', async (text, given) => {
    expect(await assistant.refused('list_changes', given)).toMatch(text);
  });
});

it('tells a key its limits and its use', async () => {
  const own = new Assistant(await running.client({ plan: 'pro', name: 'Desk', scopes: ['webhooks:manage'] }));
  expect(await own.use('my_usage')).toEqual({
    key_id: expect.stringMatching(/^key_/),
    name: 'Desk',
    plan: 'pro',
    scopes: ['webhooks:manage'],
    limits: { per_minute: 300, per_day: 10_000 },
    days: [],
  });
});

it('counts each tool in the metrics', async () => {
  const { origin, management } = await running.another({ OPS_PORT: '0' });
  const other = new Client(origin, await running.issueKey());
  for (const name of ['my_usage', 'my_usage', 'made_up'])
    await new Assistant(other).rpc('tools/call', { name });
  const metrics = await metricsOf(management ?? '');
  const count = (operation: string): number | undefined =>
    metrics.get(`petstore_http_request_duration_seconds_count{operation="${operation}",status="200"}`);
  expect([count('mcp.my_usage'), count('mcp'), count('mcp.made_up')]).toEqual([2, 1, undefined]);
  other.close();
});

it('says the same text that a client without structured results reads', async () => {
  for (const era of ERAS) {
    const { content, structuredContent } = await new Assistant(client, era).call('list_orders');
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  }
});

it('is unavailable without PostgreSQL, as over HTTP', async () => {
  await running.postgres.stop();
  const reply = await assistant.send('tools/call', { name: 'search_animals', arguments: { text: 'unseen' } });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    503,
    { code: 'service_unavailable', message: expect.any(String), status: 503 },
  ]);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  const line = (): Record<string, unknown> | undefined =>
    running.logged('request').find(({ requestId }) => requestId === reply.headers['x-request-id']);
  await until(() => line() !== undefined);
  expect(line()).toMatchObject({ operation: expect.stringMatching(/^mcp/), status: 503 });
});
