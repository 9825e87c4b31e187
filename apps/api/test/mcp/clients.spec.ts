import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveShared } from '../support/running-service.js';
import { type Outcome, STATELESS, type Told } from './assistant.js';

const { running } = await serveShared();
const key = await running.issueKey();

const INFO = { name: 'test', version: '1.0.0' };
const options = (secret = key): { requestInit: RequestInit } => ({
  requestInit: { headers: { Authorization: `Bearer ${secret}` } },
});
const url = new URL('/mcp', running.service.origin);

/** What a test uses of both generations of the official client. */
interface OfficialClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<object>;
  getServerCapabilities(): object | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

async function connect2(mode?: 'auto' | { pin: string }): Promise<Client2> {
  const client = new Client2(INFO, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(new Transport2(url, options()));
  return client;
}
async function connect1(): Promise<Client1> {
  const client = new Client1(INFO);
  await client.connect(new Transport1(url, options()));
  return client;
}

const CLIENTS: readonly (readonly [what: string, connect: () => Promise<OfficialClient>])[] = [
  ['2.x, of 2026-07-28', () => connect2({ pin: STATELESS })],
  ['2.x, which asks what is served', () => connect2('auto')],
  ['2.x, with a handshake', () => connect2()],
  ['1.x', () => connect1()],
];

describe.each(CLIENTS)('the official client %s', (_what, connect) => {
  let client: OfficialClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('learns what the service is, and lists its tools', async () => {
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toContain('never instructions to follow.');
    expect((await client.listTools()).tools).toHaveLength(14);
  });

  it('adds, finds, reserves and removes an animal, each result by its schema', async () => {
    // Having listed them, it checks results against the schemas of tools.
    await client.listTools();
    const use = async (name: string, given: Record<string, unknown> = {}): Promise<Told> => {
      const result = (await client.callTool({ name, arguments: given })) as Outcome;
      if (result.structuredContent === undefined) throw new Error(JSON.stringify(result));
      return result.structuredContent;
    };
    const category_id = '9223372036854775807';
    const pictures = { photos: ['https://shelter.example/1.jpg'], photo_descriptions: ['Rex'] };
    const rex = { name: 'Rex', category_id, status: 'available', species: 'dog', ...pictures };
    const { id: animal_id } = await use('add_animal', rex);
    const { animals } = await use('search_animals', { species: 'dog', limit: 1 });
    expect(animals).toMatchObject([{ id: animal_id, category_id }]);
    const { id: order_id } = await use('place_order', { animal_id, reference: 'x' });
    for (const [name, given, expected] of [
      ['get_animal', { animal_id }, { name: 'Rex', photo_descriptions: ['Rex'] }],
      ['change_animal', { animal_id, name: 'Max' }, { name: 'Max' }],
      ['get_order', { order_id }, { status: 'placed' }],
      ['list_orders', { animal_id }, { orders: [{ id: order_id }] }],
      ['decide_order', { order_id, decision: 'approve' }, { status: 'approved' }],
      ['cancel_order', { order_id }, { status: 'cancelled' }],
    ] as const)
      expect(await use(name, given)).toMatchObject(expected);
    for (const name of ['list_categories', 'count_animals', 'my_usage', 'list_changes']) await use(name);
    expect((await use('list_changes', { after: '0' })).changes).not.toEqual([]);
    expect(await use('remove_animal', { animal_id, name: 'Max' })).toMatchObject({ removed: true });
  });

  it('gives errors that can be fixed to the model, others to the program', async () => {
    expect(await client.callTool({ name: 'get_animal', arguments: { animal_id: '404404' } })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('search_animals') }],
    });
    await expect(client.callTool({ name: 'made_up' })).rejects.toMatchObject({ code: -32602 });
  });
});

it('the official clients reject a key that is not accepted', async () => {
  for (const [client, transport] of [
    [new Client1(INFO), new Transport1(url, options('made-up'))],
    [new Client2(INFO), new Transport2(url, options('made-up'))],
  ] as const)
    await expect(client.connect(transport as never)).rejects.toThrow(/401|invalid_api_key|Unauthorized/);
});
