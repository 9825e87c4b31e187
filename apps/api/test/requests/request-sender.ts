import { once } from 'node:events';
import net from 'node:net';

/** Without a byte from the server, after which the connection is closed. */
const TIMEOUT_MS = 2_000;

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * A connection that sends the bytes of requests one after the other and awaits each response, at little cost of its own.
 * Connects anew when the server has closed.
 */
export class RequestSender {
  private socket: net.Socket | undefined;
  private received = Buffer.alloc(0);
  private settle: ((status: number) => void) | undefined;

  constructor(private readonly origin: string) {}

  /** Sends one request; resolves with the status of its final response, 0 where the server closed without one. */
  async send(bytes: Buffer): Promise<number> {
    const socket = this.socket ?? (await this.connect());
    const answered = new Promise<number>((resolve) => (this.settle = resolve));
    socket.write(bytes);
    return answered;
  }

  close(): void {
    this.socket?.destroy();
  }

  private async connect(): Promise<net.Socket> {
    const { hostname, port } = new URL(this.origin);
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    // Whatever ends the connection: what has come by then is the response.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.take(true);
    });
    socket.on('data', (chunk) => {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      this.take(false);
    });
    await once(socket, 'connect');
    this.received = Buffer.alloc(0);
    return (this.socket = socket);
  }

  /** Takes a response out of what was received, once it is whole. */
  private take(closed: boolean): void {
    const { settle, received } = this;
    if (settle === undefined) return;
    const end = received.indexOf(HEAD_END);
    if (end < 0) {
      if (closed) this.finish(settle, 0, received.length);
      return;
    }
    const head = received.toString('latin1', 0, end + 2);
    const status = Number(head.slice(9, 12));
    const length = status === 204 ? '0' : /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
    const whole = length === undefined ? Infinity : end + HEAD_END.length + Number(length);
    if (received.length < whole && !closed) return;
    // The server may wait a while for the rest of a request that it has responded to early.
    if (/\r\nconnection: close\r\n/i.test(head)) this.socket?.destroy();
    this.finish(settle, status, whole);
  }

  private finish(settle: (status: number) => void, status: number, used: number): void {
    this.settle = undefined;
    if (this.socket?.destroyed === true) this.socket = undefined;
    this.received = this.received.subarray(Math.min(used, this.received.length));
    settle(status);
  }
}
