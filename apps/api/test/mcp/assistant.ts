import type { Client, Reply } from '../support/client.js';

/** The revision in which each request says by itself what it is. */
export const STATELESS = '2026-07-28';
export const ERAS = ['handshake', 'stateless'] as const;
export type Era = (typeof ERAS)[number];

const META = 'io.modelcontextprotocol/';

export interface Message {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What a tool has told: an animal, an order, a list and the like. These members are those that tests read. */
export interface Told {
  readonly id: string;
  readonly name: string;
  readonly category_id: string;
  readonly status: string;
  readonly reason?: string;
  readonly photos?: readonly string[];
  readonly photo_descriptions?: readonly string[];
  readonly available: number;
  readonly animals: readonly Told[];
  readonly orders: readonly Told[];
  readonly categories: readonly Told[];
  readonly changes: readonly Told[];
  readonly type: string;
  readonly data: { readonly animal?: Told };
  readonly position: string;
  readonly next_cursor?: string;
}

/** What a tool call came to. */
export interface Outcome {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Told;
  readonly isError?: boolean;
}

/** Speaks the protocol by hand, so that a test sees status, fields and bytes. */
export class Assistant {
  constructor(
    readonly client: Client,
    private readonly era: Era = 'handshake',
  ) {}

  /** @param body as it is sent: JSON, or a text that may be none */
  post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.client.post('/mcp', body, { headers });
  }

  /** A request of this era. */
  send(method: string, params: object = {}, id: unknown = 1): Promise<Reply> {
    if (this.era === 'handshake')
      return this.post({ jsonrpc: '2.0', id, method, params }, { 'MCP-Protocol-Version': '2025-11-25' });
    const { name } = params as { readonly name?: string };
    return this.post(
      { jsonrpc: '2.0', id, method, params: { ...params, _meta: metaOf(STATELESS) } },
      {
        'MCP-Protocol-Version': STATELESS,
        'Mcp-Method': method,
        ...(name !== undefined && { 'Mcp-Name': name }),
      },
    );
  }

  async rpc(method: string, params: object = {}): Promise<Message> {
    return messageIn(await this.send(method, params));
  }

  async call(name: string, given: object = {}): Promise<Outcome> {
    const { result } = await this.rpc('tools/call', { name, arguments: given });
    return result as unknown as Outcome;
  }

  /** The structured result of a call, which must succeed. */
  async use(name: string, given: object = {}): Promise<Told> {
    const outcome = await this.call(name, given);
    if (outcome.structuredContent === undefined) throw new Error(outcome.content[0]?.text);
    return outcome.structuredContent;
  }

  /** The text of a call, which must be refused. */
  async refused(name: string, given: object = {}): Promise<string> {
    const outcome = await this.call(name, given);
    if (outcome.isError !== true || 'structuredContent' in outcome) throw new Error(JSON.stringify(outcome));
    return outcome.content.map(({ text }) => text).join();
  }
}

export function metaOf(version: string): object {
  return {
    [`${META}protocolVersion`]: version,
    [`${META}clientInfo`]: { name: 'test', version: '1.0.0' },
    [`${META}clientCapabilities`]: {},
  };
}

export function messageIn({ text }: Reply): Message {
  return JSON.parse(text) as Message;
}
