import type { IncomingMessage, ServerResponse } from 'node:http';

/** Port: records requests for logs, metrics and traces. */
export interface RequestObserver {
  /** Called once for each request, before anything else happens to it. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** The code of the error that a request gets. */
  failed(request: IncomingMessage, code: string): void;
  /** Called for what node's HTTP parser refuses, or a connection loses, before there is a request. */
  refusedByParser(): void;
}

/** Injection token of {@link RequestObserver}. */
export const REQUEST_OBSERVER = Symbol('RequestObserver');
