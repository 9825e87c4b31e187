import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of one connection that are there at once; a client that pipelines more loses the connection. */
const MAX_PIPELINED = 100;

const RESPONSES = Symbol('responses');
type Connection = Socket & { [RESPONSES]?: ServerResponse[] };

/** The responses of a connection that are not closed, to requests in their order: the first one is under way. */
export function openResponses(connection: Connection): ServerResponse[] {
  return (connection[RESPONSES] ??= []);
}

/**
 * Handles the requests of a connection one after the other: of two changes the first one is made first (RFC 9112, section
 * 9.3.2). Node hands over pipelined requests at once, but emits `close` only for the response that holds the socket: what
 * waits for that event would wait forever behind a client that has gone. So a request begins with the `close` of the
 * response before it.
 */
export function oneAfterTheOther(handle: RequestListener): RequestListener {
  const begin = (response: ServerResponse, connection: Connection): void => {
    response.once('close', () => {
      const responses = openResponses(connection);
      responses.shift();
      if (responses[0] !== undefined && connection.writable) begin(responses[0], connection);
    });
    handle(response.req, response);
  };
  return ({ socket }, response) => {
    const count = openResponses(socket).push(response);
    if (count === 1) begin(response, socket);
    else if (count > MAX_PIPELINED) socket.destroy();
  };
}
