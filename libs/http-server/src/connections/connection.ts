import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionOwner, RequestHandler } from './connection-owner.js';
import { closeLingering } from './lingering-close.js';
import { ListPlace } from './ordered-list.js';
import { type ParserError, refusalText } from './parser-refusal.js';
import type { Peer } from './peers.js';
import { ReadPause } from './read-pause.js';

/** From so many waiting requests on nothing more is read from a connection. */
const MOST_WAITING = 16;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Errors of a socket whose client is gone: nobody is left to respond to. */
const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * One connection of the public listener. Its requests are handled one after the other: node parses pipelined
 * requests at once, but emits `close` only for the response that holds the socket, so that whatever is begun
 * for one that still waits would never learn that its client has gone. Here a request begins when the one
 * before it has its response; of those that never begin nothing is left.
 */
export class Connection {
  /** The response under way. */
  private current: ServerResponse | undefined;
  /** A response that was complete when last looked at, and not yet sent. */
  private unsent: ServerResponse | undefined;
  private readonly waiting: Exchange[] = [];
  /** What the parser refused, to be reported after the responses to the requests before it. */
  private refusal: ParserError | undefined;
  private isClosing = false;
  /** Whether no other request can follow those that are there. */
  private isLast = false;
  private readonly reading: ReadPause;
  /** Its places among all idle connections, and among those of its peer. */
  readonly idleInAll = new ListPlace<Connection>(this);
  readonly idleOfPeer = new ListPlace<Connection>(this);

  /** @param peer who shares the address; `undefined` for a trusted proxy, which stands for many */
  constructor(
    readonly socket: Socket,
    readonly peer: Peer<Connection> | undefined,
    private readonly owner: ConnectionOwner<Connection>,
    private readonly handle: RequestHandler,
  ) {
    // Node and its users add and remove listeners of their own; an error that finds none ends the process.
    socket.on('error', ignore);
    this.reading = new ReadPause(socket);
    socket.once('close', () => {
      this.forgetWaiting();
      owner.remove(this);
    });
    const closeAtOnce = socket.destroySoon.bind(socket);
    // Called by node after a response with `Connection: close`.
    socket.destroySoon = (): void => {
      if (this.isClosing) return;
      if (this.mayBeSending) this.close();
      else closeAtOnce();
    };
  }

  /** Takes a request from the parser. */
  accept(request: IncomingMessage, response: ServerResponse): void {
    // What the parser still finds in a packet whose connection was ended meanwhile.
    if (this.isClosing || this.isLast || !this.socket.writable) return;
    if (request.headers.upgrade !== undefined) this.endAfter(response);
    if (this.current === undefined) {
      this.occupy(response);
      this.handle(request, response);
      return;
    }
    this.waiting.push({ request, response });
    if (this.waiting.length >= MOST_WAITING) this.reading.hold();
    if (!this.owner.mayWait(this.waiting.length > MOST_WAITING)) this.socket.destroy();
  }

  /** Responds to what the parser refuses, and closes: after a syntax error it is unknown where a request begins. */
  refuse(error: ParserError): void {
    const { socket, current, waiting } = this;
    if (this.isClosing) return;
    if (!socket.writable || GONE.has(error.code)) {
      socket.destroy();
      return;
    }
    const last = waiting.at(-1);
    if (last !== undefined && !last.request.complete) {
      // The refusal is the response to the request whose body broke off.
      waiting.pop();
      this.owner.forgetWaiting(1);
    }
    if (current !== undefined && (current.req.complete || last !== undefined)) {
      this.refusal ??= error;
      this.reading.hold();
      return;
    }
    if (current?.headersSent === true) {
      socket.destroy();
      return;
    }
    this.close(refusalText(error, this.owner.helpOf));
  }

  /** CONNECT asks for a tunnel, and this is no proxy. Node has let go of the socket by now. */
  refuseTunnel(): void {
    // Nothing that node writes on it gets anywhere any more.
    if (this.current !== undefined || !this.socket.writable) this.socket.destroy();
    else this.close(refusalText(new Error('CONNECT is not supported'), this.owner.helpOf));
  }

  /**
   * Reads nothing while a response is not being read, so that only progress in sending counts as activity.
   *
   * @returns whether the same response was on its way the last time already
   */
  holdWhileUnsent(): boolean {
    const { current } = this;
    if (current === undefined || !current.writableEnded || current.writableFinished) return false;
    this.reading.hold();
    const isSlow = this.unsent === current;
    this.unsent = current;
    return isSlow;
  }

  /** Reads nothing for a while: the client of a refused request is to wait. */
  holdFor(ms: number): void {
    if (this.isClosing || this.socket.destroyed) return;
    this.reading.hold();
    setTimeout(() => {
      if (this.reading.isHeld && this.waiting.length < MOST_WAITING) this.reading.release();
    }, ms).unref();
  }

  /**
   * Nothing is upgraded here, and the request is handled as any other. But node's parser passes over what follows it
   * in the same packet and takes what comes next for the beginning of a request, which it need not be.
   */
  private endAfter(response: ServerResponse): void {
    this.isLast = true;
    response.setHeader('Connection', 'close');
  }

  private occupy(response: ServerResponse): void {
    this.current = response;
    this.owner.setBusy(this);
    // Comes for every response that has the socket: after its end, and when the connection is lost.
    response.on('close', this.responseClosed);
  }

  /** Begins a request that waited in a turn of its own: others are not to wait for all that one client pipelined. */
  private beginInTurn({ request, response }: Exchange): void {
    this.occupy(response);
    setImmediate(() => {
      if (this.current === response) this.handle(request, response);
    });
  }

  private readonly responseClosed = (): void => {
    this.current = undefined;
    this.unsent = undefined;
    if (this.isClosing || !this.socket.writable) {
      this.forgetWaiting();
      this.owner.setIdle(this);
      return;
    }
    const next = this.waiting.shift();
    if (next !== undefined) {
      this.owner.forgetWaiting(1);
      this.beginInTurn(next);
    } else if (this.refusal === undefined) {
      this.owner.setIdle(this);
    } else {
      this.close(refusalText(this.refusal, this.owner.helpOf));
    }
    if (this.reading.isHeld && this.waiting.length < MOST_WAITING) this.reading.release();
  };

  /** Whether bytes may be on their way that will not be read. */
  private get mayBeSending(): boolean {
    const { current, waiting, refusal, isLast } = this;
    return current?.req.complete === false || waiting.length > 0 || refusal !== undefined || isLast;
  }

  /** @param text a last response, whole */
  private close(text?: string): void {
    this.isClosing = true;
    this.reading.end();
    this.forgetWaiting();
    if (this.current === undefined) this.owner.setIdle(this);
    if (text !== undefined) this.socket.write(text);
    closeLingering(this.socket);
  }

  private forgetWaiting(): void {
    this.owner.forgetWaiting(this.waiting.length);
    this.waiting.length = 0;
  }
}

const ignore = (): void => undefined;
