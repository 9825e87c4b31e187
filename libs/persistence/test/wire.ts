import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@petstore/test-servers';

/** A message of PostgreSQL's protocol. */
export function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The server is ready for a query, outside of a transaction. */
export const READY = message('Z', Buffer.from('I'));

/** What PgBouncer sends instead of beginning a session. */
const refused = (reason: string): Buffer =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${reason}\0\0`, 'latin1'));

/** What PgBouncer sends that loses its server within a row: its own error in place of the rest. */
const BROKEN_ROW = Buffer.concat([
  message('D', Buffer.from([0, 3, 0, 0, 0, 4, ...Buffer.alloc(34, 'a')])).subarray(0, 15),
  refused('server conn crashed?'),
]);

/** Breaks a connection before the server gets a statement, before the client gets the response to it, or within a row. */
export type Lost = 'request' | 'response' | 'row';

/** A network between clients and a server on this machine, on which things go wrong when asked to. */
export class Wire {
  /** Connections that were taken so far. */
  accepted = 0;
  /** Whether further connections are taken, and nothing is passed, while those that are open go on. */
  holds = false;
  /** What further connections are refused with, as by a pooler, while those that are open go on. */
  refusal: string | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private isCut = false;
  private loss: { readonly text: Buffer; readonly lost: Lost } | undefined;

  private constructor(
    private readonly target: string,
    private readonly port: number,
  ) {
    this.server = createServer((client) => {
      this.accepted++;
      if (this.isCut) client.destroy();
      else if (this.refusal !== undefined) this.turnAway(client, this.refusal);
      else if (this.holds) this.keep(client);
      else this.relay(client);
    });
  }

  /** @param target a `postgresql://` address, over TCP or over the socket in its folder */
  static async to(target: string): Promise<Wire> {
    const wire = new Wire(target, await freePort());
    await wire.listen();
    return wire;
  }

  /** The address of the server, through this wire. */
  get url(): string {
    return through(this.target, this.port);
  }

  /** Breaks every connection, and new ones as soon as they are made. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Breaks every connection, and listens no more. */
  refuse(): void {
    this.cut();
    this.server.close();
  }

  async restore(): Promise<void> {
    this.isCut = false;
    if (!this.server.listening) await this.listen();
  }

  /** Breaks the next connection that sends this text, or the name of this prepared statement. */
  lose(lost: Lost, text: string): void {
    this.loss = { text: Buffer.from(text), lost };
  }

  /** Breaks the next connection that commits. */
  loseCommit(lost: Lost): void {
    this.lose(lost, 'COMMIT\0');
  }

  private async listen(): Promise<void> {
    // A test that fails before it closes a wire still ends.
    await once(this.server.unref().listen(this.port, '127.0.0.1'), 'listening');
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }

  private turnAway(client: Socket, reason: string): void {
    this.keep(client);
    client.once('data', () => client.end(refused(reason)));
  }

  private relay(client: Socket): void {
    const upstream = connectTo(this.target);
    this.keep(client);
    this.keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      client.destroySoon();
    });
    const breakBoth = (): void => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    let loses: Lost | undefined;
    client.on('data', (bytes) => {
      const { loss } = this;
      if (loss !== undefined && bytes.includes(loss.text)) {
        this.loss = undefined;
        if (loss.lost === 'request') {
          breakBoth();
          return;
        }
        loses = loss.lost;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (loses === 'row') {
        client.end(BROKEN_ROW);
        upstream.destroy();
      } else if (loses === 'response') breakBoth();
      else client.write(bytes);
    });
  }
}

function connectTo(target: string): Socket {
  const { hostname, port, searchParams } = new URL(target);
  const folder = searchParams.get('host');
  return folder === null
    ? connect(Number(port), hostname)
    : connect(`${folder}/.s.PGSQL.${port === '' ? '5432' : port}`);
}

/** The same address for a program that listens on this TCP port in between. */
export function through(target: string, port: number): string {
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.delete('host');
  return url.href;
}
