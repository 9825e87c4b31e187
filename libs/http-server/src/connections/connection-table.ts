import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { CONNECTION_LIMITS, type ConnectionLimits, type DropReason } from './connection-limits.js';
import type { ConnectionOwner, RequestHandler } from './connection-owner.js';
import { Connection } from './connection.js';
import { ERROR_HELP, type ErrorHelp } from '../errors/error-help.js';
import { OrderedList } from './ordered-list.js';
import type { ParserError } from './parser-refusal.js';
import { Peers } from './peers.js';

/** Most pipelined requests that wait in the process; each takes about 4 KiB. */
const MOST_WAITING_IN_ALL = 8_192;

/** Of so many connections, those that have been idle or slow for the longest, one has to make room. */
const CANDIDATES = 32;

/** How often connections whose response is not being read are looked for, in milliseconds. */
const SWEEP_MS = 1_000;

/** From this share of the connections on, idle ones are kept for a shorter time. */
const CROWDED = 0.8;

const CONNECTION = Symbol('connection');
type KnownSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Every open connection of the public listener: how many there are, whose they are, and which of them has been
 * idle for the longest. No client keeps others out: an address has a share, and when all places are taken, of the
 * address or of the process, the longest idle connection makes room for a new one.
 */
@Injectable()
export class ConnectionTable implements ConnectionOwner<Connection> {
  private readonly open = new Set<Connection>();
  /** In the order in which they became idle. */
  private readonly idle = new OrderedList<Connection>();
  /** Those whose response takes more than a second to be read. */
  private readonly slow = new Set<Connection>();
  private readonly peers = new Peers<Connection>();
  private waiting = 0;

  constructor(
    @Inject(CONNECTION_LIMITS) private readonly limits: ConnectionLimits,
    @Inject(ERROR_HELP) readonly helpOf: ErrorHelp,
  ) {}

  /** Open connections. */
  get size(): number {
    return this.open.size;
  }

  /** Whether idle connections should be kept for a shorter time than usual. */
  get isCrowded(): boolean {
    return this.open.size > CROWDED * this.limits.most;
  }

  /** Takes every connection of `server` and hands its requests to `handle`, one after the other. */
  watch(server: Server, handle: RequestHandler): void {
    server.on('connection', (socket) => {
      this.add(socket, handle);
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

  /** Hands a request of the parser to its connection. */
  accept(request: IncomingMessage, response: ServerResponse): void {
    connectionOf(request.socket)?.accept(request, response);
  }

  refuse(error: ParserError, socket: Socket): void {
    const connection = connectionOf(socket);
    if (connection === undefined) socket.destroy();
    else connection.refuse(error);
  }

  refuseTunnel(socket: Socket): void {
    const connection = connectionOf(socket);
    if (connection === undefined) socket.destroy();
    else connection.refuseTunnel();
  }

  /** The network whose share a connection is counted in; `undefined` for a trusted proxy. */
  networkOf(socket: Socket): string | undefined {
    return connectionOf(socket)?.peer?.network;
  }

  /** Reads nothing from a connection for a while. A proxy's carries requests of many, who are not to wait. */
  holdBack(socket: Socket, ms: number): void {
    const connection = connectionOf(socket);
    if (connection?.peer !== undefined) connection.holdFor(ms);
  }

  /** Ends every connection at once, whatever it is doing. */
  destroyAll(): void {
    for (const { socket } of this.open) socket.destroy();
  }

  setBusy(connection: Connection): void {
    this.slow.delete(connection);
    this.idle.remove(connection.idleInAll);
    connection.peer?.idle.remove(connection.idleOfPeer);
  }

  setIdle(connection: Connection): void {
    this.slow.delete(connection);
    if (!this.open.has(connection)) return;
    this.idle.add(connection.idleInAll);
    connection.peer?.idle.add(connection.idleOfPeer);
  }

  remove(connection: Connection): void {
    if (!this.open.delete(connection)) return;
    this.setBusy(connection);
    const { peer } = connection;
    if (peer !== undefined) this.peers.remove(peer);
  }

  mayWait(hasMany: boolean): boolean {
    this.waiting++;
    if (!hasMany || this.waiting <= MOST_WAITING_IN_ALL) return true;
    this.limits.dropped('pipelined');
    return false;
  }

  forgetWaiting(count: number): void {
    this.waiting -= count;
  }

  private add(socket: Socket, handle: RequestHandler): void {
    const network = this.limits.networkOf(socket.remoteAddress);
    const peer = network === undefined ? undefined : this.peers.add(network);
    const connection = new Connection(socket, peer, this, handle);
    (socket as KnownSocket)[CONNECTION] = connection;
    this.open.add(connection);
    if (peer !== undefined && peer.connections > this.limits.mostPerAddress) {
      const [longestIdle] = peer.idle;
      this.makeRoom(connection, longestIdle, 'address_limit');
    } else if (this.open.size > this.limits.most) {
      const candidate = this.findCandidate();
      // Who has more connections than others does not take theirs.
      const isFair =
        candidate !== undefined && (candidate.peer === undefined || sizeOf(candidate) >= sizeOf(connection));
      this.makeRoom(connection, isFair ? candidate : undefined, 'full');
    }
    this.setIdle(connection);
  }

  private makeRoom(added: Connection, other: Connection | undefined, otherwise: DropReason): void {
    if (other === undefined) this.drop(added, otherwise);
    else this.drop(other, 'made_room');
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
        if (found === undefined || sizeOf(connection) > sizeOf(found)) found = connection;
        if (++looked === CANDIDATES) break;
      }
    }
    return found;
  }

  private drop(connection: Connection, reason: DropReason): void {
    // Its own `close` comes a moment later; until then it must not be found, or counted, again.
    this.remove(connection);
    connection.socket.destroy();
    this.limits.dropped(reason);
  }
}

function connectionOf(socket: Socket): Connection | undefined {
  return (socket as KnownSocket)[CONNECTION];
}

function sizeOf({ peer }: Connection): number {
  return peer?.connections ?? 0;
}
