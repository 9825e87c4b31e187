import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a handler returns: a response that knows how to write itself. The HTTP adapter calls {@link send}. */
export abstract class FinishedResponse {
  /** Writes this response, whole. Called once. */
  abstract send(request: IncomingMessage, response: ServerResponse): void;
}
