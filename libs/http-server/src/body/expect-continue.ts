import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakSet<IncomingMessage>();

/** Notes that the client waits with its body until it is asked for it (`Expect: 100-continue`, RFC 9110, 10.1.1). */
export function noteExpectation(request: IncomingMessage): void {
  waiting.add(request);
}

/**
 * Asks for the body, if the client waits for that. Called when all is known that speaks against reading it: a
 * body that would be refused is never sent.
 */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined) return;
  if (waiting.delete(request) && !response.headersSent) response.writeContinue();
}
