import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from './request-context.js';

/** Injection token of a {@link RequestObserver}. */
export const REQUEST_OBSERVER = Symbol('RequestObserver');

/** What the app learns of requests, for its log, metrics and spans. Methods are called often, and must not wait. */
export interface RequestObserver {
  /** Called first for each request. */
  begin(): void;
  /** Called once for each request that has begun, when its response is sent or its client has gone. */
  end(request: IncomingMessage, response: ServerResponse, context: RequestContext): void;
  /** Called for what node's HTTP parser refuses before there is a request. */
  refusedByParser(): void;
  /** Called with the reason of a failure (status 500 and above). */
  failed(fields: object): void;
  /** Whether a text may stand in the log: none that looks like a key is taken for the id of a request. */
  readonly mayLog: (text: string) => boolean;
}
