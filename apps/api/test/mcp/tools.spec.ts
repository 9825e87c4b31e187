import { describe, expect, it } from '@jest/globals';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { expectError } from '../support/contract.js';
import { metricsOf } from '../support/metrics.js';
import { serve } from '../support/running-service.js';
import { until } from '../support/until.js';
import { Assistant, ERAS, type Told } from './assistant.js';

const { running, client } = await serve();
const assistant = new Assistant(client);

/** By name, in the order of the list: the scope, and what the tool does to what there is. */
const TOOLS = {
  search_animals: ['pets:read', 'reads'],
  get_animal: ['pets:read', 'reads'],
  list_categories: ['pets:read', 'reads'],
  count_animals: ['pets:read', 'reads'],
  list_changes: ['pets:read', 'reads'],
  add_animal: ['pets:write', 'adds'],
  change_animal: ['pets:write', 'changes'],
  remove_animal: ['pets:write', 'changes'],
  place_order: ['orders:write', 'adds'],
  list_orders: ['orders:read', 'reads'],
  get_order: ['orders:read', 'reads'],
  cancel_order: ['orders:write', 'changes'],
  decide_order: ['orders:manage', 'changes'],
  my_usage: ['', 'reads'],
} as const;

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { type?: string; description?: string }>>;
  };
}
const toolsFor = async (own: Assistant): Promise<ListedTool[]> =>
  (await own.rpc('tools/list')).result?.['tools'] as ListedTool[];

describe('the list of tools', () => {
  it('has every tool, whole, in one order, on one page', async () => {
    const tools = await toolsFor(assistant);
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
    for (const tool of tools) {
      const [, does] = TOOLS[tool.name as keyof typeof TOOLS];
      expect(tool).toEqual({
        name: expect.stringMatching(/^[a-z_]+$/),
        title: expect.stringMatching(/^[A-Z]/),
        // More than its name says: that is all by which a model chooses.
        description: expect.stringMatching(/^[A-Z].{48,}\.$/s),
        inputSchema: expect.objectContaining({ type: 'object', additionalProperties: false }),
        outputSchema: expect.objectContaining({ type: 'object' }),
        annotations: {
          title: tool.title,
          readOnlyHint: does === 'reads',
          destructiveHint: does === 'changes',
          idempotentHint: does !== 'adds',
          openWorldHint: false,
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
    const { result } = await new Assistant(client, 'stateless').rpc('tools/list');
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
    expect(result).not.toHaveProperty('nextCursor');
    expect(result?.['tools']).toEqual(await toolsFor(assistant));
  });

  it.each([...PETSTORE_SCOPES.all.map((scope) => [[scope]]), [['pets:read', 'orders:manage']]])(
    'has what a key with %j may call, and a call of another names the scope',
    async (scopes) => {
      const own = new Assistant(await running.client({ scopes }));
      const all = Object.entries(TOOLS);
      const allowed = all.filter(([, [scope]]) => scope === '' || scopes.includes(scope));
      expect((await toolsFor(own)).map(({ name }) => name)).toEqual(allowed.map(([name]) => name));
      for (const [name, [scope]] of all.filter((tool) => !allowed.includes(tool)))
        expect(await own.refused(name)).toMatch(new RegExp(`^insufficient_scope: .*${scope}`));
    },
  );
});

describe('orders', () => {
  const animal = async (): Promise<string> =>
    (await assistant.use('add_animal', { name: 'Rex', category_id: '9', status: 'available' })).id;
  const order = async (): Promise<string> =>
    (await assistant.use('place_order', { animal_id: await animal() })).id;

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
    expect(await assistant.use('get_order', { order_id: placed.id })).toEqual(placed);
    const { text } = await client.get(`/v1/store/orders/${placed.id}`);
    const overHttp = { petId: Number(animal_id), reference: 'site-4711', status: 'placed' };
    expect(JSON.parse(text)).toMatchObject(overHttp);
    const refused = (given: object): Promise<string> => assistant.refused('place_order', given);
    expect(await refused({ animal_id })).toMatch(/^pet_not_available: .* Use search_animals/);
    expect(await refused({ ...given, reference: 'other' })).toMatch(/^idempotency_key_reused: /);
  });

  it('are decided on, and keep the reason of what ends them', async () => {
    const order_id = await order();
    for (const [tool, given, status, reason] of [
      ['decide_order', { order_id, decision: 'approve', reason: 'x' }, 'approved', undefined],
      ['decide_order', { order_id, decision: 'approve' }, 'approved', undefined],
      ['decide_order', { order_id, decision: 'deliver', reason: 'x' }, 'delivered', undefined],
      ['decide_order', { order_id, decision: 'return', reason: 'Allergy' }, 'returned', 'Allergy'],
      ['decide_order', { order_id: await order(), decision: 'decline', reason: 'No' }, 'declined', 'No'],
      ['cancel_order', { order_id: await order(), reason: 'Moved' }, 'cancelled', 'Moved'],
    ] as const) {
      const decided = await assistant.use(tool, given);
      expect([decided.status, decided.reason]).toEqual([status, reason]);
    }
    expect(await assistant.refused('cancel_order', { order_id })).toMatch(
      /^invalid_order_transition: A returned order/,
    );
    expect(await assistant.refused('decide_order', { order_id, decision: 'cancel' })).toContain(
      'decision must be one of approve, decline, deliver, return',
    );
  });

  it('are listed by pages, and those of others are none for a key of a shop', async () => {
    const own = new Assistant(await running.client({ scopes: ['orders:read', 'orders:write'] }));
    for (let n = 0; n < 3; n++) await own.use('place_order', { animal_id: await animal() });
    const { orders, next_cursor: cursor } = await own.use('list_orders', { limit: 2, status: 'placed' });
    const rest = await own.use('list_orders', { cursor, status: 'placed' });
    expect([orders.length, rest.orders.length, 'next_cursor' in rest]).toEqual([2, 1, false]);
    expect(await own.refused('list_orders', { cursor })).toMatch(/^invalid_cursor: /);
    const order_id = await order();
    for (const tool of ['get_order', 'cancel_order'])
      expect(await own.refused(tool, { order_id })).toBe(
        'order_not_found: No order has this id. Use list_orders to see those of this key.',
      );
  });
});

describe('what a shelter has', () => {
  it('names categories, by pages', async () => {
    const [dogs, last] = [
      { id: '7', name: 'Dogs' },
      { id: '9223372036854775807', name: 'Last' },
    ];
    for (const { id, name } of [dogs, last])
      await client.post(`/v1/categories/${id}`, { name }, { method: 'PUT' });
    expect(await assistant.use('list_categories')).toEqual({ categories: [last, dogs] });
    for (let n = 0; n < 100; n++) await client.post('/v1/categories', { name: `Category ${n}` });
    const { next_cursor: cursor } = await assistant.use('list_categories');
    expect((await assistant.use('list_categories', { cursor })).categories).toHaveLength(2);
    expect(await assistant.refused('list_categories', { cursor: 'x' })).toMatch(/^invalid_cursor: /);
  });

  it('counts animals', async () => {
    const count = (category_id: unknown): Promise<Told> => assistant.use('count_animals', { category_id });
    // Counted in this order.
    for (const status of ['sold', 'available', 'available'])
      await assistant.use('add_animal', { name: 'Rex', category_id: '77', status });
    await until(async () => (await count(77)).available === 2);
    expect(await count('77')).toEqual({ available: 2, pending: 0, sold: 1 });
    expect(await count('78')).toEqual({ available: 0, pending: 0, sold: 0 });
  });

  it('tells what has changed behind a position, and the position of now', async () => {
    const start = await assistant.use('list_changes');
    expect(start).toEqual({ changes: [], position: expect.stringMatching(/^[0-9]+$/) });
    const { position: after } = start;
    const { id } = await assistant.use('add_animal', { name: 'Rex', category_id: '79', sex: 'male' });
    const list = (given: object = {}): Promise<Told> => assistant.use('list_changes', { after, ...given });
    const ofAnimal = async (): Promise<Told[]> =>
      (await list({ limit: 100 })).changes.filter(({ data }) => data.animal?.id === id);
    await until(async () => (await ofAnimal()).length === 2);
    const animal = { id, name: 'Rex', category_id: '79', status: 'pending' };
    const ofEvent = { id: expect.any(String), timestamp: expect.any(String) };
    expect(await ofAnimal()).toEqual([
      { ...ofEvent, type: 'pet.created', data: { animal } },
      { ...ofEvent, type: 'pet.profile_updated', data: { animal: { ...animal, sex: 'male' } } },
    ]);
    expect((await list({ limit: 1 })).changes).toHaveLength(1);
    const { position } = await list({ limit: 100 });
    expect(await list({ after: position })).toEqual({ changes: [], position });
  });

  it.each([
    [/^position_gone: (?!.*after=).*list_changes without after/, { after: '9223372036854775807' }],
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
  const other = new Assistant(running.connect(await running.issueKey(), origin));
  for (const name of ['my_usage', 'my_usage', 'made_up']) await other.rpc('tools/call', { name });
  const metrics = await metricsOf(management ?? '');
  const count = (operation: string): number | undefined =>
    metrics.get(`petstore_http_request_duration_seconds_count{operation="${operation}",status="200"}`);
  expect(['mcp.my_usage', 'mcp', 'mcp.made_up'].map(count)).toEqual([2, 1, undefined]);
});

it.each(ERAS)('says the same text that a client without structured results reads: %s', async (era) => {
  const { content, structuredContent } = await new Assistant(client, era).call('list_orders');
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
});

it('is unavailable without PostgreSQL, as over HTTP', async () => {
  await running.postgres.stop();
  const reply = await assistant.send('tools/call', { name: 'search_animals', arguments: { text: 'unseen' } });
  expectError(reply, 'service_unavailable');
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});
