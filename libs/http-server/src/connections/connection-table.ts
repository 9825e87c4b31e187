import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ConnectionLimits,
  type DropReason,
  HTTP_SERVER_OPTIONS,
  type HttpServerOptions,
} from '../options/http-server.options.js';
import { closeAtOnce } from './closing.js';
import { Connection, type ConnectionOwner, type RequestHandler } from './connection.js';
import { type ParserError, refusalText } from './parser-refusal.js';
import { RequestQueue } from './request-queue.js';

/** Most pipelined requests that wait in the process; each takes about 4 KiB. */
const MAX_WAITING_IN_ALL = 8_192;

/** Number of the longest idle, and of the slowest connections, of which one has to make room. */
const CANDIDATES = 32;

/** How often connections whose response is not being read are looked for, in milliseconds. */
const SWEEP_MS = 1_000;

/** How long a connection is kept that waits for its next request, in milliseconds. */
const KEEP_ALIVE_MS = 65_000;
/** The same while most of the connections that there may be are open: more than this share. */
const CROWDED_KEEP_ALIVE_MS = 5_000;
const CROWDED = 0.8;

const CONNECTION = Symbol('connection');
type KnownSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Every open connection of the public listener. No client keeps others out: an address has a share. When the share is
 * in use, its longest idle connection makes room for a new one; when all connections are, one of the longest idle or
 * slowest does.
 */
@Injectable()
export class ConnectionTable implements ConnectionOwner {
  private readonly open = new Set<Connection>();
  /** In the order in which they became idle. */
  private readonly idle = new Set<Connection>();
  /** Those whose response takes more than a second to be read. */
  private readonly slow = new Set<Connection>();
  /** Connections of each network: an address, or an IPv6 /64. */
  private readonly byNetwork = new Map<string, number>();
  private readonly limits: ConnectionLimits;
  private readonly queue: RequestQueue<Connection>;
  /** Pipelined requests behind others. */
  private waiting = 0;

  constructor(@Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions) {
    this.limits = options.connections;
    const { requests } = options;
    this.queue = new RequestQueue(
      ({ network, socket, nextRequest }) =>
        network ??
        (nextRequest === undefined ? String(socket.remoteAddress) : requests.networkOf(nextRequest)),
    );
  }

  /** Open connections. */
  get size(): number {
    return this.open.size;
  }

  /** Requests that wait to begin, without those behind others on their connection. */
  get waitingRequests(): number {
    return this.queue.size;
  }

  /** Takes every connection of `server`, responds to what its parser refuses, and hands on requests. */
  watch(server: Server, handler: RequestHandler): void {
    // A client that says it will send no more still wants its responses (RFC 9112, section 9.6).
    (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.on('connection', (socket) => {
      this.add(socket, handler);
    });
    this.takeRequests(server);
    server.on('clientError', (error, socket) => {
      // A connection that was reset is reported here, too.
      if (connectionOf(socket as Socket)?.refuse(error) === true) this.options.requests.refusedByParser();
    });
    server.on('connect', (_request, socket) => {
      connectionOf(socket as Socket)?.refuseTunnel();
    });
    server.on('timeout', (socket: Socket) => {
      connectionOf(socket)?.timedOut();
    });
    // Until then an error is that of listening, which is the caller's.
    server.once('listening', () => {
      server.on('error', () => {
        this.limits.dropped('not_accepted');
      });
    });
    const sweep = setInterval(() => {
      for (const connection of this.open) if (connection.holdWhileUnsent()) this.slow.add(connection);
    }, SWEEP_MS).unref();
    server.once('close', () => {
      clearInterval(sweep);
    });
  }

  /** The network whose share a connection is counted in; `undefined` for a trusted proxy. */
  networkOf(socket: Socket): string | undefined {
    return connectionOf(socket)?.network;
  }

  /** Reads nothing from a connection for a while, unless it is a proxy's, which carries requests of many clients. */
  holdBack(socket: Socket, ms: number): void {
    const connection = connectionOf(socket);
    if (connection?.network !== undefined) connection.holdFor(ms);
  }

  /** Ends every connection at once, whatever it is doing. */
  destroyAll(): void {
    for (const { socket } of this.open) closeAtOnce(socket);
  }

  enqueue(connection: Connection): void {
    this.queue.add(connection);
  }

  setBusy(connection: Connection): void {
    this.slow.delete(connection);
    this.idle.delete(connection);
  }

  setIdle(connection: Connection): void {
    this.slow.delete(connection);
    if (this.open.has(connection)) this.idle.add(connection);
  }

  remove(connection: Connection): void {
    const { open, idle, slow, byNetwork } = this;
    if (!open.delete(connection)) return;
    idle.delete(connection);
    slow.delete(connection);
    const { network } = connection;
    if (network === undefined) return;
    const left = this.sizeOf(network) - 1;
    if (left === 0) byNetwork.delete(network);
    else byNetwork.set(network, left);
  }

  mayWait(hasMany: boolean): boolean {
    this.waiting++;
    if (!hasMany || this.waiting <= MAX_WAITING_IN_ALL) return true;
    this.limits.dropped('pipelined');
    return false;
  }

  forgetWaiting(count: number): void {
    this.waiting -= count;
  }

  refusalText(error: ParserError): string {
    return refusalText(error, this.options.helpOf);
  }

  private takeRequests(server: Server): void {
    const accept = (request: IncomingMessage, response: ServerResponse): void => {
      const isCrowded = this.open.size > CROWDED * this.limits.most;
      server.keepAliveTimeout = isCrowded ? CROWDED_KEEP_ALIVE_MS : KEEP_ALIVE_MS;
      connectionOf(request.socket)?.accept(request, response);
    };
    // Without a listener node responds to the last two itself. The reader of a body sends `100 Continue`; an unknown
    // expectation may be ignored (RFC 9110, section 10.1.1).
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, accept);
  }

  private add(socket: Socket, handler: RequestHandler): void {
    const { limits, open, idle, byNetwork } = this;
    const network = limits.networkOf(socket.remoteAddress);
    const connection = new Connection(socket, network, this, handler);
    (socket as KnownSocket)[CONNECTION] = connection;
    open.add(connection);
    if (network !== undefined) byNetwork.set(network, this.sizeOf(network) + 1);
    if (this.sizeOf(network) > limits.mostPerAddress) {
      this.makeRoom(connection, firstOf(idle, network), 'address_limit');
    } else if (open.size > limits.most) {
      const candidate = this.findCandidate();
      // A client with more connections than others does not displace theirs.
      const isFair =
        candidate?.network === undefined || this.sizeOf(candidate.network) >= this.sizeOf(network);
      this.makeRoom(connection, isFair ? candidate : undefined, 'full');
    }
    if (open.has(connection)) idle.add(connection);
    this.queue.accepted();
  }

  private makeRoom(added: Connection, other: Connection | undefined, otherwise: DropReason): void {
    const dropped = other ?? added;
    // Its own `close` comes a moment later; until then it must not be found, or counted, again.
    this.remove(dropped);
    closeAtOnce(dropped.socket);
    this.limits.dropped(other === undefined ? otherwise : 'made_room');
  }

  /**
   * One that has been idle for long, or whose response is read slowly: of the address that has the most connections, so
   * that those of others stay.
   */
  private findCandidate(): Connection | undefined {
    let found: Connection | undefined;
    for (const connections of [this.idle, this.slow]) {
      let looked = 0;
      for (const connection of connections) {
        if (found === undefined || this.sizeOf(connection.network) > this.sizeOf(found.network))
          found = connection;
        if (++looked === CANDIDATES) break;
      }
    }
    return found;
  }

  /** Connections of a network; 0 for a trusted proxy's. */
  private sizeOf(network: string | undefined): number {
    return network === undefined ? 0 : (this.byNetwork.get(network) ?? 0);
  }
}

/** The first connection of a network: of those that are idle the one that has been so for the longest. */
function firstOf(connections: ReadonlySet<Connection>, network: string | undefined): Connection | undefined {
  for (const connection of connections) if (connection.network === network) return connection;
  return undefined;
}

function connectionOf(socket: Socket): Connection | undefined {
  return (socket as KnownSocket)[CONNECTION];
}
