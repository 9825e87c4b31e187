import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ResponseHeaders, setHeaders } from '../headers/response-headers.js';
import { FinishedResponse } from './finished-response.js';

/** 204: done, and nothing to say (RFC 9110, section 15.3.5). No body, no Content-Type, no Content-Length. */
export class EmptyResponse extends FinishedResponse {
  constructor(readonly headers: ResponseHeaders = {}) {
    super();
  }

  override send(_request: IncomingMessage, response: ServerResponse): void {
    setHeaders(response, this.headers);
    response.writeHead(204).end();
  }
}
