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
 *
 * The first requests of connections begin together, when all that have arrived are read: a response that is written between
 * two reads costs three times as much (docs/performance.md).
 */
export function oneAfterTheOther(handle: RequestListener): RequestListener {
  let arrived: ServerResponse[] = [];
  const begin = (response: ServerResponse): void => {
    const connection: Connection = response.req.socket;
    // Its client has gone: no event would end it.
    if (!connection.writable) return;
    response.on('close', () => {
      const responses = openResponses(connection);
      responses.shift();
      if (responses[0] !== undefined) begin(responses[0]);
    });
    handle(response.req, response);
  };
  const beginArrived = (): void => {
    const responses = arrived;
    arrived = [];
    for (const response of responses) begin(response);
  };
  return ({ socket }, response) => {
    const count = openResponses(socket).push(response);
    if (count > MAX_PIPELINED) socket.destroy();
    else if (count === 1 && arrived.push(response) === 1) setImmediate(beginArrived);
  };
}
