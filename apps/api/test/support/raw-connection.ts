import net from 'node:net';
import type { Reply } from './client.js';
import { until } from './until.js';

/** A request to which every service responds 200, without a key. */
export const LIVE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';

/** Bytes of responses that are kept. */
const MAX_KEPT = 1024 * 1024;

/** A connection on which a test sends what no HTTP library would, and reads what comes back. It reports no error. */
export class RawConnection {
  readonly socket: net.Socket;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly gone: Promise<void>;
  /** What has come back so far; a test may set it to begin anew. */
  text = '';

  /** @param from an address of the loopback network to connect from */
  constructor(origin: string, from?: string) {
    const { hostname, port } = new URL(origin);
    this.socket = net.connect({
      ...{ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true },
      ...(from === undefined ? {} : { localAddress: from }),
    });
    this.socket.setEncoding('latin1').on('data', (part: string) => {
      if (this.text.length < MAX_KEPT) this.text += part;
    });
    // A reset is one of the ways in which a connection may end.
    this.socket.on('error', () => undefined);
    this.gone = new Promise((resolve) => {
      this.socket.once('close', () => {
        resolve();
      });
    });
  }

  /** Whether the server has said that it sends no more, or the connection is gone. */
  get isEnded(): boolean {
    return this.socket.closed || this.socket.destroyed || this.socket.readableEnded;
  }

  /** Bytes are lost without a word where there is no connection. */
  write(bytes: string | Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /** Status codes of the responses so far. */
  statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  }

  /** The one response so far. */
  reply(): Reply {
    return parseReply(this.text);
  }

  /** Resolves when the head of a response is there. */
  responded(): Promise<void> {
    return until(() => this.text.includes('\r\n\r\n'));
  }

  /** Resolves when the server has said that it sends no more, or the connection is gone. */
  ended(): Promise<void> {
    return until(() => this.isEnded);
  }
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
