import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate, type TestCertificate } from './certificate.js';

/** A request as a receiver has got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** What a receiver does with a request, whose body has been read. */
export type Respond = (response: http.ServerResponse, received: Received, socket: Socket) => void;

/** A server on the loopback interface whose responses the test decides. */
export class Receiver {
  readonly received: Received[] = [];
  /** Connections that were opened. */
  connections = 0;
  respond: Respond = (response) => response.writeHead(204).end();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: net.Server,
    private readonly protocol: string,
    /** What to trust to reach it by `https`. */
    readonly certificate?: TestCertificate,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
  }

  static async http(): Promise<Receiver> {
    return new Receiver(http.createServer(), 'http').listen();
  }

  /** @param names that its certificate holds for */
  static async https(names = ['127.0.0.1', 'localhost'], validDays = 1): Promise<Receiver> {
    const certificate = makeCertificate(names, validDays);
    return new Receiver(https.createServer(certificate), 'https', certificate).listen();
  }

  /** A server that speaks no HTTP: what it does with each connection is up to the test. */
  static async tcp(connected: (socket: Socket) => void): Promise<Receiver> {
    return new Receiver(net.createServer(connected), 'http').listen();
  }

  /** Connections that are open. */
  get open(): number {
    return this.sockets.size;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Its URL under a name or an address. */
  url(host = '127.0.0.1', path = '/hook'): string {
    return `${this.protocol}://${host}:${this.port}${path}`;
  }

  /** Closes the connections, also those that are idle. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  private async listen(): Promise<this> {
    this.server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      void this.receive(request, response);
    });
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  private async receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    // The sender broke off.
    if (body === undefined) return;
    const { method = '', url: path = '' } = request;
    const headers = request.headers as Record<string, string>;
    const received = { method, path, headers, body, at: performance.now() };
    this.received.push(received);
    this.respond(response, received, request.socket);
  }
}
