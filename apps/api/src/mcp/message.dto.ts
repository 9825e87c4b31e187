import { JsonBodyOptions, JsonNumber, ParseBy } from '@petstore/http-server';

const AsSent = (): PropertyDecorator => ParseBy((sent) => sent, { isOptional: true });

/** One JSON object of a client, of which nothing is known yet; the largest profile fits several times. */
@JsonBodyOptions({ maxBytes: 64 * 1024 })
export class MessageDto {
  @AsSent() jsonrpc?: unknown;
  @AsSent() id?: unknown;
  @AsSent() method?: unknown;
  @AsSent() params?: unknown;
  @AsSent() result?: unknown;
  @AsSent() error?: unknown;
}

/** The members of a JSON object, as `JSON.parse` makes them. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** A message of JSON-RPC 2.0. A notification has no id and wants no response; a response has no method. */
export interface Message {
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly params: JsonMembers;
}

/** The message that an object is; `undefined` for one that is none. */
export function messageOf(sent: MessageDto): Message | undefined {
  const { jsonrpc, method } = sent;
  const [id, params] = [idOf(sent), membersOf(sent.params === undefined ? {} : sent.params)];
  if (jsonrpc !== '2.0' || params === undefined || (id === undefined && sent.id !== undefined))
    return undefined;
  if (typeof method === 'string') return { id, method, params };
  const isResponse = method === undefined && (sent.result !== undefined || sent.error !== undefined);
  return isResponse ? { id, method, params } : undefined;
}

/** The id of a message as JSON text, digit for digit; `undefined` when it has none by which it can be answered. */
export function idOf({ id }: MessageDto): string | undefined {
  if (typeof id === 'string') return JSON.stringify(id);
  return id instanceof JsonNumber && /^-?[0-9]+$/.test(id.source) ? id.source : undefined;
}

/** The members of a JSON object; `undefined` for another value. */
export function membersOf(value: unknown): JsonMembers | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof JsonNumber) ? (value as JsonMembers) : undefined;
}
