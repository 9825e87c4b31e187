import net from 'node:net';
import type { Reply } from './client.js';
import { until } from './until.js';

/** A request to which every service responds 200, without a key. */
export const LIVE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';

/** A connection on which a test sends what no HTTP library would, and reads what comes back. */
export interface RawConnection {
  readonly socket: net.Socket;
  /** What has come back so far; a test may set it to begin anew. */
  text: string;
  write(bytes: string | Buffer): void;
  /** Status codes of the responses so far. */
  statuses(): number[];
  /** The one response so far. */
  reply(): Reply;
  /** Resolves when the head of a response is there. */
  responded(): Promise<void>;
  /** Resolves when the server has said that it sends no more, or has reset the connection. */
  ended(): Promise<void>;
  /** Resolves when the connection is reset. */
  closed(): Promise<void>;
}

/** @param from an address of the loopback network to connect from */
export function rawConnection(origin: string, from?: string): RawConnection {
  const { hostname, port } = new URL(origin);
  const socket = net.connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(from === undefined ? {} : { localAddress: from }),
  });
  const connection: RawConnection = {
    socket,
    text: '',
    write: (bytes) => {
      socket.write(bytes);
    },
    statuses: () => [...connection.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    reply: () => parseReply(connection.text),
    responded: () => until(() => connection.text.includes('\r\n\r\n')),
    ended: () => until(() => socket.readableEnded || socket.closed),
    closed: () => until(() => socket.closed),
  };
  socket.setEncoding('latin1').on('data', (part: string) => (connection.text += part));
  // A reset is one of the ways in which a connection may end.
  socket.on('error', () => undefined);
  return connection;
}

/** The one response in what a socket gave back. */
export function parseReply(reply: string): Reply {
  const [head = '', ...body] = reply.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 2),
      ]),
    ),
    text: body.join('\r\n\r\n'),
  };
}
