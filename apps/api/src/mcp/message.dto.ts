import { JsonBodyOptions, JsonNumber, ParseBy } from '@petstore/http-server';

const AsSent = (): PropertyDecorator => ParseBy(plain, { isOptional: true });

/** A message of JSON-RPC 2.0, which the library judges; the largest profile fits several times. */
@JsonBodyOptions({ maxBytes: 64 * 1024 })
export class MessageDto {
  @AsSent() jsonrpc?: unknown;
  @AsSent() id?: unknown;
  @AsSent() method?: unknown;
  @AsSent() params?: unknown;
  @AsSent() result?: unknown;
  @AsSent() error?: unknown;
}

/** A number as a double; one that is another then stays no number, so that no id comes back with other digits. */
function plain(sent: unknown): unknown {
  const number = sent instanceof JsonNumber ? Number(sent.source) : undefined;
  return number === undefined || Math.abs(number) > Number.MAX_SAFE_INTEGER ? sent : number;
}
