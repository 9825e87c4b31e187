import type { ServerResponse } from 'node:http';
import type { AnswerHeaders } from './api-error.js';

/** Media type of every answer of the contract (specification, section 1). */
export const JSON_MEDIA_TYPE = 'application/json';

/**
 * A finished answer of the contract: the JSON text as it goes over the wire, so that int64 values stay
 * exact, with the header fields that belong to it. A handler returns one; the adapter writes it.
 */
export class Answer {
  constructor(
    readonly status: number,
    readonly json: string,
    readonly headers: AnswerHeaders = {},
  ) {}

  static ok(json: string, headers?: AnswerHeaders): Answer {
    return new Answer(200, json, headers);
  }

  static created(json: string, headers?: AnswerHeaders): Answer {
    return new Answer(201, json, headers);
  }

  /** Writes this answer. To HEAD, node's server sends the same header fields without the body (RFC 9110, 9.3.2). */
  send(response: ServerResponse): void {
    response.writeHead(this.status, {
      ...this.headers,
      'Content-Type': JSON_MEDIA_TYPE,
      'Content-Length': Buffer.byteLength(this.json),
    });
    response.end(this.json);
  }
}
