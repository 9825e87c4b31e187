import type { IncomingMessage } from 'node:http';

/** What the application knows of a request, called once the response is out. */
export interface RequestAttributes {
  /** Id of the operation, or the name of a group of paths: one of a few dozen words, never a path as sent. */
  readonly operation: string;
  readonly requestId: string | undefined;
  /** Id of the key that the request was accepted with; never the key. */
  readonly keyId: string | undefined;
  /** Whether its line is for debugging only, as for what probes ask every second. Metrics count it all the same. */
  readonly quiet?: boolean;
}

/** Names a request; called once for each, after its response. */
export type DescribeRequest = (request: IncomingMessage) => RequestAttributes;

const codes = new WeakMap<IncomingMessage, string>();

/** Notes the code of the error that a request gets, for its record. */
export function noteErrorCode(request: IncomingMessage, code: string): void {
  codes.set(request, code);
}

/** What {@link noteErrorCode} noted. */
export function errorCodeOf(request: IncomingMessage): string | undefined {
  return codes.get(request);
}
