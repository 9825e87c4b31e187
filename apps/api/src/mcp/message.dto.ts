import { JsonBodyOptions, JsonNumber, JsonText, ParseBy } from '@petstore/http-server';

/** Most bytes of a message: a profile of 16 KiB, every character of which is escaped, and as much again. */
const MAX_BYTES = 64 * 1024;

const AsSent = (): PropertyDecorator => ParseBy((sent) => sent, { isOptional: true });

/** A JSON object, as `JSON.parse` makes it. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** What a client has sent: one JSON object, of which nothing else is known yet. */
@JsonBodyOptions({ maxBytes: MAX_BYTES })
export class MessageDto {
  @AsSent()
  jsonrpc?: unknown;

  @AsSent()
  id?: unknown;

  @AsSent()
  method?: unknown;

  @AsSent()
  params?: unknown;

  @AsSent()
  result?: unknown;

  @AsSent()
  error?: unknown;
}

/** A message of JSON-RPC 2.0 that wants a response. */
export interface RpcRequest {
  /** As JSON text: a string, or a whole number digit for digit. */
  readonly id: string;
  readonly method: string;
  readonly params: JsonMembers;
}

/** What a message is; `undefined` for what is none. Notifications and responses are accepted, and mean nothing here. */
export function readMessage(message: MessageDto): RpcRequest | 'accepted' | undefined {
  const { jsonrpc, method } = message;
  const id = idOf(message);
  const params = membersOf(message.params ?? {});
  const hasId = message.id !== undefined;
  if (jsonrpc !== '2.0' || (hasId && id === undefined) || params === undefined || message.params === null)
    return undefined;
  if (typeof method === 'string') return id === undefined ? 'accepted' : { id, method, params };
  const isResponse = message.result !== undefined || membersOf(message.error) !== undefined;
  return method === undefined && isResponse ? 'accepted' : undefined;
}

/** The id of a message as JSON text, digit for digit; `undefined` when it has none that one can be answered by. */
export function idOf({ id }: MessageDto): string | undefined {
  if (typeof id === 'string') return JSON.stringify(id);
  return id instanceof JsonNumber && /^-?[0-9]+$/.test(id.source) ? id.source : undefined;
}

/** The members of a JSON object; `undefined` for another value. */
export function membersOf(sent: unknown): JsonMembers | undefined {
  const value: unknown = sent instanceof JsonText ? JSON.parse(sent.source) : sent;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof JsonNumber) ? (value as JsonMembers) : undefined;
}
