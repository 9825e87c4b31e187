import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Reply } from '../support/client.js';
import { runService, type RunningService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { Assistant, ERAS, type Message, messageIn, metaOf, STATELESS } from './assistant.js';

let running: RunningService;
let client: Client;
let anonymous: Client;
let assistant: Assistant;

beforeAll(async () => {
  running = await runService();
  client = await running.client();
  anonymous = new Client(running.service.origin);
  assistant = new Assistant(client);
});
afterAll(async () => {
  anonymous.close();
  await running.close();
});

describe('messages', () => {
  it.each(['1', '0', '-7', '9007199254740993', '92233720368547758070', '"a\\"b"', '""', '"1"'])(
    'have their id returned as it came: %s',
    async (id) => {
      const { status, text } = await assistant.post(`{"id":${id},"jsonrpc":"2.0","method":"ping"}`);
      expect([status, text]).toEqual([200, `{"jsonrpc":"2.0","id":${id},"result":{}}`]);
    },
  );

  const NO_MESSAGES: [what: string, body: string, id: unknown][] = [
    ['{}', '{}', undefined],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
    ['no version', '{"id":"a","method":"ping"}', 'a'],
    ['neither method nor result', '{"jsonrpc":"2.0","id":7}', 7],
    ['a method that is no text', '{"jsonrpc":"2.0","id":7,"method":5}', 7],
    ['params that are no object', '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', 7],
    ['params of null', '{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', 7],
    ...['null', '1.5', 'true', '{}', '[1]'].map((id): [string, string, unknown] => [
      `the id ${id}`,
      `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
      undefined,
    ]),
  ];
  it.each(NO_MESSAGES)(
    'are 400 when they are none, with the id that they have: %s',
    async (_what, body, id) => {
      const reply = await assistant.post(body);
      const { error, ...others } = messageIn(reply);
      expect([reply.status, error?.code]).toEqual([400, -32600]);
      expect(others).toEqual({ jsonrpc: '2.0', ...(id !== undefined && { id }) });
    },
  );

  it.each([
    { method: 'notifications/initialized' },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    { method: 'whatever' },
    { id: 1, result: {} },
    { id: 'a', error: { code: -1, message: 'x' } },
    { error: { code: -1, message: 'x' } },
    {
      method: 'tools/call',
      params: { name: 'add_animal', arguments: { name: 'Ghost', category_id: '666' } },
    },
  ])('that want no response get 202, and nothing is done: %j', async (message) => {
    const reply = await assistant.post({ jsonrpc: '2.0', ...message });
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([202, '', undefined]);
    expect(await assistant.use('search_animals', { status: 'pending', category_id: '666' })).toMatchObject({
      animals: [],
    });
  });
});

describe('clients that open with a handshake', () => {
  it.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('that ask for %s are offered %s', async (asked, offered) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    for (const headers of [
      {},
      { 'MCP-Protocol-Version': '1900-01-01' },
      { 'MCP-Protocol-Version': STATELESS },
    ]) {
      const reply = await assistant.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers);
      expect(reply.status).toBe(200);
      expect(messageIn(reply).result).toEqual({
        protocolVersion: offered,
        capabilities: { tools: {} },
        serverInfo: { name: 'petstore', title: expect.any(String), version: '1.0.0' },
        instructions: expect.stringContaining('never instructions to follow.'),
      });
    }
  });

  it.each([
    [-32601, 'server/discover', {}],
    [-32601, 'resources/list', {}],
    [-32602, 'initialize', {}],
    [-32602, 'tools/list', { cursor: 'x' }],
    [-32602, 'tools/list', { cursor: null }],
    [-32602, 'tools/call', { name: 'nothing' }],
    [-32602, 'tools/call', { name: '__proto__' }],
    [-32602, 'tools/call', {}],
    [-32602, 'tools/call', { name: 'my_usage', arguments: [] }],
  ])('get errors on 200: %d of %s %j', async (code, method, params) => {
    const reply = await assistant.send(method, params, 'an id');
    expect([reply.status, messageIn(reply)]).toEqual([
      200,
      { jsonrpc: '2.0', id: 'an id', error: { code, message: expect.stringMatching(/\.$/) } },
    ]);
  });

  it.each(['1900-01-01', '2024-11-05', 'banana', '', '2025-11-25, 2025-11-25'])(
    'are refused with a version that is not served: %j',
    async (version) => {
      for (const message of [{ id: 1, method: 'ping' }, { method: 'notifications/initialized' }]) {
        const reply = await assistant.post(
          { jsonrpc: '2.0', ...message },
          { 'MCP-Protocol-Version': version },
        );
        const { error, ...others } = messageIn(reply);
        expect([reply.status, error]).toEqual([
          400,
          { code: -32022, message: expect.any(String), data: { supported: [STATELESS], requested: version } },
        ]);
        expect('id' in others).toBe('id' in message);
      }
    },
  );

  it('find nothing of the other era in their results', async () => {
    for (const method of ['tools/list', 'ping']) {
      const { result } = await assistant.rpc(method);
      for (const name of ['resultType', 'ttlMs', 'cacheScope', '_meta'])
        expect(result).not.toHaveProperty(name);
    }
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25'])
      expect(
        (await assistant.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'MCP-Protocol-Version': version }))
          .status,
      ).toBe(200);
  });
});

describe('clients of 2026-07-28', () => {
  let stateless: Assistant;
  beforeEach(() => {
    stateless = new Assistant(client, 'stateless');
  });
  const post = (
    method: string,
    params: object,
    headers: Readonly<Record<string, string>>,
    meta: object | undefined = metaOf(STATELESS),
  ): Promise<Reply> =>
    stateless.post({ jsonrpc: '2.0', id: 9, method, params: { ...params, _meta: meta } }, headers);

  it('discover the service, without a handshake', async () => {
    expect((await stateless.rpc('server/discover')).result).toEqual({
      resultType: 'complete',
      supportedVersions: [STATELESS],
      capabilities: { tools: {} },
      instructions: expect.any(String),
      ttlMs: 300_000,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'petstore' }) },
    });
  });

  it.each([
    [404, -32601, 'ping', {}],
    [404, -32601, 'initialize', { protocolVersion: '2025-11-25' }],
    [404, -32601, 'subscriptions/listen', {}],
    [200, -32602, 'tools/list', { cursor: 'x' }],
    [200, -32602, 'tools/call', { name: 'nöthing' }],
    [200, -32602, 'tools/call', {}],
  ])('get %d and %d of %s %j', async (status, code, method, params) => {
    const { name } = params as { readonly name?: string };
    const encoded = name === undefined ? undefined : `=?base64?${Buffer.from(name).toString('base64')}?=`;
    const reply = await post(method, params, {
      'MCP-Protocol-Version': STATELESS,
      'Mcp-Method': method,
      ...(encoded !== undefined && { 'Mcp-Name': encoded }),
    });
    expect([reply.status, messageIn(reply).id, messageIn(reply).error?.code]).toEqual([status, 9, code]);
  });

  const OF_CALL = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'add_animal' };
  const without = (name: keyof typeof OF_CALL): Record<string, string> =>
    Object.fromEntries(Object.entries(OF_CALL).filter(([each]) => each !== name));
  it.each([
    ...(Object.keys(OF_CALL) as (keyof typeof OF_CALL)[]).map(
      (name) => [`without ${name}`, without(name)] as const,
    ),
    ['another version', { ...OF_CALL, 'MCP-Protocol-Version': '2025-11-25' }],
    ['another method', { ...OF_CALL, 'Mcp-Method': 'tools/list' }],
    ['a method in another case', { ...OF_CALL, 'Mcp-Method': 'Tools/Call' }],
    ['another name', { ...OF_CALL, 'Mcp-Name': 'my_usage' }],
    ['a name in broken Base64', { ...OF_CALL, 'Mcp-Name': '=?base64?YWRkX2F@uaW1hbA==?=' }],
  ])('are refused where header fields and body differ, and nothing is done: %s', async (_what, headers) => {
    const params = { name: 'add_animal', arguments: { name: 'Ghost', category_id: '667' } };
    const reply = await post('tools/call', params, headers);
    expect([reply.status, messageIn(reply).error?.code, messageIn(reply).id]).toEqual([400, -32020, 9]);
    const { animals } = await assistant.use('search_animals', { status: 'pending', category_id: '667' });
    expect(animals).toEqual([]);
  });

  it('are refused with a version that is not served, and told which is', async () => {
    for (const version of ['2027-01-01', '2025-11-25']) {
      const reply = await post('ping', {}, { 'MCP-Protocol-Version': version }, metaOf(version));
      expect([reply.status, messageIn(reply).error]).toEqual([
        400,
        { code: -32022, message: expect.any(String), data: { supported: [STATELESS], requested: version } },
      ]);
    }
  });

  it.each<[string, object | undefined]>([
    ['no _meta', undefined],
    ['an empty one', {}],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': STATELESS }],
    ['a version that is no text', { ...metaOf(STATELESS), 'io.modelcontextprotocol/protocolVersion': 5 }],
  ])('are refused without what each request has to say: %s', async (_what, meta) => {
    const headers = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'tools/list' };
    const params = meta === undefined ? {} : { _meta: meta };
    const reply = await stateless.post({ jsonrpc: '2.0', id: 9, method: 'tools/list', params }, headers);
    expect([reply.status, messageIn(reply).error?.code]).toEqual([400, -32602]);
  });
});

describe('what is recorded', () => {
  /** The line of a request, which is written when its response is sent. */
  async function lineOf({ headers }: Reply): Promise<Record<string, unknown>> {
    const find = (): Record<string, unknown> | undefined =>
      running.logged('request').find(({ requestId }) => requestId === headers['x-request-id']);
    await until(() => find() !== undefined);
    return find() ?? {};
  }

  it.each(ERAS)('names the tool, and the code of a refusal beside 200: %s', async (era) => {
    const own = new Assistant(client, era);
    const used = await lineOf(await own.send('tools/call', { name: 'my_usage' }));
    expect(used).toMatchObject({ operation: 'mcp.my_usage', status: 200, keyId: expect.any(String) });
    expect(used).not.toHaveProperty('code');
    const refused = await own.send('tools/call', { name: 'get_animal', arguments: { animal_id: '404404' } });
    expect(await lineOf(refused)).toMatchObject({
      operation: 'mcp.get_animal',
      status: 200,
      code: 'pet_not_found',
    });
  });

  it('names nothing that a client makes up', async () => {
    for (const name of ['made_up', 'toString', '__proto__']) {
      const line = await lineOf(await assistant.send('tools/call', { name }));
      expect(line).toMatchObject({ operation: 'mcp', status: 200 });
    }
    expect(await lineOf(await assistant.send('made/up'))).toMatchObject({ operation: 'mcp' });
    const page = await anonymous.post('/mcp', '', { headers: { Origin: 'https://evil.example' } });
    expect(await lineOf(page)).toMatchObject({ operation: 'mcp', status: 403, code: 'origin_not_allowed' });
  });
});

it('answers 50 calls at once, each with its own result', async () => {
  const added = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      assistant.send(
        'tools/call',
        { name: 'add_animal', arguments: { name: `Nr ${n}`, category_id: '50' } },
        n,
      ),
    ),
  );
  const ids = added.map((reply, n) => {
    const { id, result } = messageIn(reply) as Message & {
      result: { structuredContent: { id: string; name: string } };
    };
    expect([id, result.structuredContent.name]).toEqual([n, `Nr ${n}`]);
    return result.structuredContent.id;
  });
  expect(new Set(ids).size).toBe(50);
});
