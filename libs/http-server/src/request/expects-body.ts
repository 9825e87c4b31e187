import type { IncomingMessage } from 'node:http';

/** Whether the client of a request is still to send a body, or the rest of one (RFC 9112, section 6). */
export function expectsBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
