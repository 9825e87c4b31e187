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

/** What PostgreSQL sends to a session that `pg_terminate_backend` ends. */
const TERMINATED = message(
  'E',
  Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0Fpostgres.c\0\0',
    'latin1',
  ),
);

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
  /** Sessions that {@link terminatesSessions} has ended. */
  terminated = 0;
  /**
   * Ends each session at the moment at which it becomes ready, for the first time or one of the next times, with a FIN,
   * a reset or nothing after it.
   */
  terminatesSessions = false;
  /**
   * What becomes of further connections, while those that are open go on: they are taken and nothing is passed, or a
   * session begins and gets no response, as from a pooler whose sessions are all in use.
   */
  holds: 'connections' | 'sessions' | undefined;
  /**
   * What further connections are refused with, as by a pooler, while those that are open go on: at their start, or at
   * their first query when sessions are held.
   */
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
      else if (this.refusal !== undefined && this.holds === undefined) this.turnAway(client, this.refusal);
      else if (this.holds === 'connections') this.keep(client);
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
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
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
    const gives = this.holds !== 'sessions';
    let hasBegun = false;
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      client.destroySoon();
    });
    const breakBoth = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let loses: Lost | undefined;
    let readyBefore = Math.floor(Math.random() * 4);
    client.on('data', (bytes) => {
      if (hasBegun && !gives) {
        if (this.refusal !== undefined) client.end(refused(this.refusal));
        return;
      }
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
      hasBegun ||= bytes.subarray(-READY.length).equals(READY);
      if (loses === 'row') {
        client.end(BROKEN_ROW);
        upstream.destroy();
      } else if (loses === 'response') breakBoth();
      else if (this.terminatesSessions && bytes.subarray(-READY.length).equals(READY) && readyBefore-- <= 0)
        this.terminate(client, bytes);
      else client.write(bytes);
    });
  }

  private terminate(client: Socket, last: Buffer): void {
    const way = this.terminated++ % 3;
    client.write(Buffer.concat([last, TERMINATED]), () => {
      if (way === 0) client.end();
      else if (way === 1) setImmediate(() => client.resetAndDestroy());
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
