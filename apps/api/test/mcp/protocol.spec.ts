import { describe, expect, it } from '@jest/globals';
import type { Reply } from '../support/client.js';
import { serveShared } from '../support/running-service.js';
import { until } from '../support/until.js';
import { Assistant, ERAS, messageIn, metaOf, STATELESS } from './assistant.js';

const { running, client } = await serveShared();
const assistant = new Assistant(client);
const stateless = new Assistant(client, 'stateless');

const rpc = (message: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  assistant.post({ jsonrpc: '2.0', ...message }, headers);
/** The status, and the code of an error of the protocol. */
function errorIn(reply: Reply): readonly unknown[] {
  return [reply.status, messageIn(reply).error?.code];
}
/** Nobody has added an animal of this category. */
const expectNone = async (category_id: string): Promise<void> => {
  const { animals } = await assistant.use('search_animals', { status: 'pending', category_id });
  expect(animals).toEqual([]);
};
const unserved = (requested: string): object => ({
  code: -32022,
  message: expect.any(String),
  data: { supported: [STATELESS], requested },
});

describe('messages', () => {
  it.each(['1', '0', '-7', '"a\\"b"', '"9007199254740993"', '""', '"1"'])(
    'have their id returned as it came: %s',
    async (id) => {
      const { status, text } = await assistant.post(`{"id":${id},"jsonrpc":"2.0","method":"ping"}`);
      expect([status, JSON.parse(text)]).toEqual([
        200,
        { jsonrpc: '2.0', id: JSON.parse(id) as unknown, result: {} },
      ]);
    },
  );

  it.each([
    '{}',
    '{"jsonrpc":"1.0","id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}',
    // Not returned with other digits than it was sent with.
    ...['9007199254740993', '1e400', 'null', '1.5'].map(
      (id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
    ),
  ])('are 400 when they are none: %s', async (body) => {
    expect(errorIn(await assistant.post(body))).toEqual([400, -32600]);
  });

  it.each([
    { method: 'notifications/initialized' },
    { method: 'whatever' },
    { id: 1, result: {} },
    { id: 'a', error: { code: -1, message: 'x' } },
    { method: 'tools/call', params: { name: 'add_animal', arguments: { name: 'X', category_id: '666' } } },
  ])('that want no response get 202, and nothing is done: %j', async (message) => {
    const reply = await rpc(message);
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([202, '', undefined]);
    await expectNone('666');
  });
});

describe('clients that open with a handshake', () => {
  it.each([
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('that ask for %s are offered %s', async (asked, offered) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const reply = await rpc({ id: 1, method: 'initialize', params });
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(messageIn(reply).result).toEqual({
      protocolVersion: offered,
      capabilities: { tools: {} },
      serverInfo: { name: 'petstore', title: expect.any(String), version: '1.0.0' },
      instructions: expect.stringContaining('never instructions to follow.'),
    });
  });

  it.each([
    [-32601, 'server/discover', {}],
    [-32601, 'resources/list', {}],
    [-32602, 'tools/list', { cursor: 'x' }],
    [-32602, 'tools/call', { name: 'nothing' }],
    [-32602, 'tools/call', { name: '__proto__' }],
    [-32602, 'tools/call', { name: 'my_usage', arguments: [] }],
  ])('get errors on 200: %d of %s %j', async (code, method, params) => {
    const reply = await assistant.send(method, params, 'an id');
    expect(errorIn(reply)).toEqual([200, code]);
    expect(messageIn(reply).id).toBe('an id');
  });

  it.each(['1900-01-01', 'banana', '2025-11-25, 2025-11-25'])(
    'are refused with a version that is not served: %j',
    async (version) => {
      for (const message of [{ id: 1, method: 'ping' }, { method: 'notifications/initialized' }])
        expect((await rpc(message, { 'MCP-Protocol-Version': version })).status).toBe(400);
    },
  );
});

describe('clients of 2026-07-28', () => {
  const post = (
    method: string,
    params: object,
    headers: Readonly<Record<string, string>>,
    _meta = metaOf(STATELESS),
  ): Promise<Reply> => rpc({ id: 9, method, params: { _meta, ...params } }, headers);

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

  const encoded = `=?base64?${Buffer.from('nöthing').toString('base64')}?=`;
  it.each([
    [404, -32601, 'ping', {}],
    [404, -32601, 'initialize', { protocolVersion: '2025-11-25' }],
    // A stream that would announce changes: there are none here, and none is opened.
    [200, -32603, 'subscriptions/listen', { notifications: { toolsListChanged: true } }],
    [200, -32602, 'tools/list', { cursor: 'x' }],
    [200, -32602, 'tools/call', { name: 'nöthing' }],
  ])('get %d and %d of %s %j', async (status, code, method, params) => {
    const headers = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': method };
    const reply = await post(method, params, {
      ...headers,
      ...('name' in params && { 'Mcp-Name': encoded }),
    });
    expect(errorIn(reply)).toEqual([status, code]);
    expect(messageIn(reply).id).toBe(9);
  });

  const OF_CALL = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'add_animal' };
  it.each([
    ['MCP-Protocol-Version', undefined],
    ['Mcp-Method', undefined],
    ['Mcp-Name', undefined],
    ['MCP-Protocol-Version', '2025-11-25'],
    ['Mcp-Method', 'tools/list'],
    ['Mcp-Name', 'my_usage'],
    ['Mcp-Name', '=?base64?YWRkX2F@uaW1hbA==?='],
  ])(
    'are refused where header fields and body differ, and nothing is done: %s of %s',
    async (field, value) => {
      const { [field as 'Mcp-Name']: _right, ...headers } = OF_CALL;
      const params = { name: 'add_animal', arguments: { name: 'Ghost', category_id: '667' } };
      const reply = await post('tools/call', params, {
        ...headers,
        ...(value !== undefined && { [field]: value }),
      });
      expect(errorIn(reply)).toEqual([400, -32020]);
      await expectNone('667');
    },
  );

  it.each(['2027-01-01', '2025-11-25'])('are refused with %s, and told what is served', async (version) => {
    const reply = await post('ping', {}, { 'MCP-Protocol-Version': version }, metaOf(version));
    expect([reply.status, messageIn(reply).error]).toEqual([400, unserved(version)]);
  });

  it.each([
    undefined,
    {},
    { 'io.modelcontextprotocol/protocolVersion': STATELESS },
    { ...metaOf(STATELESS), 'io.modelcontextprotocol/protocolVersion': 5 },
  ])('are refused without what each request has to say: %j', async (_meta) => {
    const headers = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': 'tools/list' };
    expect(errorIn(await post('tools/list', { _meta }, headers))).toEqual([400, -32602]);
  });
});

describe('what is recorded', () => {
  /** The line of a request, which is written when its response is sent. */
  async function lineOf({ headers }: Reply): Promise<unknown> {
    const find = (): unknown =>
      running.logged('request').find(({ requestId }) => requestId === headers['x-request-id']);
    await until(() => find() !== undefined);
    return find();
  }

  it.each(ERAS)('names the tool, and the code of a refusal beside 200: %s', async (era) => {
    const own = new Assistant(client, era);
    const used = await lineOf(await own.send('tools/call', { name: 'my_usage' }));
    expect(used).toMatchObject({ operation: 'mcp.my_usage', status: 200, keyId: expect.any(String) });
    expect(used).not.toHaveProperty('code');
    const refused = await own.send('tools/call', { name: 'get_animal', arguments: { animal_id: '404404' } });
    const line = { operation: 'mcp.get_animal', status: 200, code: 'pet_not_found' };
    expect(await lineOf(refused)).toMatchObject(line);
  });

  it('names nothing that a client makes up', async () => {
    for (const name of ['made_up', 'toString', '__proto__'])
      expect(await lineOf(await assistant.send('tools/call', { name }))).toMatchObject({ operation: 'mcp' });
    expect(await lineOf(await assistant.send('made/up'))).toMatchObject({ operation: 'mcp' });
    const page = await running.connect().post('/mcp', '', { headers: { Origin: 'https://evil.example' } });
    const line = { operation: 'mcp', status: 403, code: 'origin_not_allowed' };
    expect(await lineOf(page)).toMatchObject(line);
  });
});

it('answers 50 calls at once, each with its own result', async () => {
  const names = Array.from({ length: 50 }, (_, n) => `Nr ${n}`);
  const added = await Promise.all(
    names.map((name) => assistant.use('add_animal', { name, category_id: '50' })),
  );
  expect(added.map(({ name }) => name)).toEqual(names);
  expect(new Set(added.map(({ id }) => id)).size).toBe(50);
});
