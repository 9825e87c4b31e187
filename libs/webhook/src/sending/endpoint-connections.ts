import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { GuardedConnector, Origin } from './guarded-connector.js';

/** Idle connections of one endpoint: as many as there are attempts at a time. */
const FREE_PER_ENDPOINT = 4;
/** Idle connections of all. */
const MOST_FREE = 256;
/** Less than the five seconds after which many servers close an idle connection, in milliseconds. */
const IDLE_TIMEOUT_MS = 4_000;
/** Before the time after which a server says that it closes an idle connection, in milliseconds. */
const HINT_MARGIN_MS = 1_000;

const KEEP_ALIVE_HINT = /^timeout=(\d+)/;

/** What a connection tells those who keep idle ones. */
interface Keeper {
  freed(connection: EndpointConnection): void;
  closed(connection: EndpointConnection): void;
}

/**
 * One connection, for one request after the other. It is the agent of its requests: `node:http` asks it for their
 * socket. An `Agent` of `node:http` looks for it by a name, which it makes anew before and after each request: 9 of 45 µs.
 */
export class EndpointConnection {
  /** What `node:http` reads of an agent: the connection is kept. */
  readonly keepAlive = true;
  readonly maxSockets = Infinity;
  readonly protocol: string;
  readonly defaultPort: number;
  private isIdle = false;
  private idleMs = IDLE_TIMEOUT_MS;

  constructor(
    readonly name: string,
    { protocol }: Origin,
    private readonly socket: Socket,
    private readonly keeper: Keeper,
  ) {
    this.protocol = protocol;
    this.defaultPort = protocol === 'https:' ? 443 : 80;
    socket.setTimeout(IDLE_TIMEOUT_MS);
    socket.on('timeout', () => {
      if (this.isIdle) socket.destroy();
    });
    // Nothing was asked: it would be taken for the response of the next request.
    socket.on('data', () => {
      if (this.isIdle) socket.destroy();
    });
    // The response has been read to its end, and the other side keeps the connection.
    socket.on('free', () => {
      this.free();
    });
    socket.on('close', () => {
      this.keeper.closed(this);
    });
  }

  get isUsable(): boolean {
    return this.socket.writable;
  }

  /** Called by `node:http`. */
  addRequest(request: ClientRequest): void {
    this.isIdle = false;
    request.onSocket(this.socket);
  }

  /** Servers may say for how many seconds they keep an idle connection (`Keep-Alive: timeout=5`). */
  noteResponse({ headers }: IncomingMessage): void {
    const [, seconds] = KEEP_ALIVE_HINT.exec(String(headers['keep-alive'])) ?? [];
    if (seconds !== undefined) this.idleMs = Math.min(this.idleMs, Number(seconds) * 1_000 - HINT_MARGIN_MS);
  }

  destroy(): void {
    this.socket.destroy();
  }

  private free(): void {
    const { socket, idleMs } = this;
    if (!socket.writable || socket.connecting || idleMs <= 0) {
      socket.destroy();
      return;
    }
    this.isIdle = true;
    if (idleMs < IDLE_TIMEOUT_MS) socket.setTimeout(idleMs);
    this.keeper.freed(this);
  }
}

/** The connections to endpoints: idle ones are used again, the last one first, and are few. */
export class EndpointConnections implements Keeper {
  private readonly idle = new Map<string, EndpointConnection[]>();
  private idleCount = 0;
  private isClosed = false;

  constructor(private readonly connector: GuardedConnector) {}

  /** An idle connection, if there is one. */
  take(origin: Origin): EndpointConnection | undefined {
    const connections = this.idle.get(nameOf(origin));
    let connection: EndpointConnection | undefined;
    do {
      connection = connections?.at(-1);
      if (connection !== undefined) this.remove(connection);
    } while (connection?.isUsable === false);
    return connection;
  }

  /** A new one. @throws what {@link GuardedConnector.open} does */
  async open(origin: Origin): Promise<EndpointConnection> {
    return new EndpointConnection(nameOf(origin), origin, await this.connector.open(origin), this);
  }

  freed(connection: EndpointConnection): void {
    const connections = this.idle.get(connection.name) ?? [];
    if (this.isClosed || connections.length >= FREE_PER_ENDPOINT || this.idleCount >= MOST_FREE) {
      connection.destroy();
      return;
    }
    connections.push(connection);
    this.idle.set(connection.name, connections);
    this.idleCount++;
  }

  closed(connection: EndpointConnection): void {
    this.remove(connection);
  }

  /** Closes the connections that nobody uses, and from now on those that nobody uses any more. */
  close(): void {
    this.isClosed = true;
    for (const connections of this.idle.values()) for (const connection of connections) connection.destroy();
  }

  private remove(connection: EndpointConnection): void {
    const connections = this.idle.get(connection.name) ?? [];
    const at = connections.indexOf(connection);
    if (at < 0) return;
    connections.splice(at, 1);
    this.idleCount--;
    if (connections.length === 0) this.idle.delete(connection.name);
  }
}

function nameOf({ protocol, host, port }: Origin): string {
  return `${protocol}//${host}:${port}`;
}
