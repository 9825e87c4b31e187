import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { breakBody } from '../body/read-body.js';
import { closeAtOnce, closeLingering } from './closing.js';
import { PiecewiseReading } from './piecewise-reading.js';
import type { ParserError } from './parser-refusal.js';

/** Waiting requests from which on nothing more is read from a connection. */
const MAX_WAITING = 16;

/** What handles requests. */
export interface RequestHandler {
  /** Called once the request before it on its connection has its response. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The response to a request that was handed over is sent, or its client has gone. */
  end(request: IncomingMessage, response: ServerResponse): void;
}

/** What a connection tells the table that it is in. */
export interface ConnectionOwner {
  /** The next request of a connection may begin: calls {@link Connection.begin}, now or later. */
  enqueue(connection: Connection): void;
  setBusy(connection: Connection): void;
  setIdle(connection: Connection): void;
  remove(connection: Connection): void;
  /** Counts a request that waits. @returns whether it may, on a connection that has many or few of them */
  mayWait(hasMany: boolean): boolean;
  forgetWaiting(count: number): void;
  /** The response to what the parser refuses, whole. */
  refusalText(error: ParserError): string;
}

/** Errors of a socket whose client is gone: no response can be sent. */
const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * One connection of the public listener. Its requests are handled one after the other: node parses pipelined
 * requests at once, but emits `close` only for the response that holds the socket, so that whatever is begun
 * for one that still waits would never learn that its client has gone. Here a request begins when the one
 * before it has its response; of those that never begin nothing is left.
 */
export class Connection {
  /** The response under way, or the next one. */
  private current: ServerResponse | undefined;
  /** The same, as long as its request has not begun. */
  private next: ServerResponse | undefined;
  /** A response that was complete when last looked at, and not yet sent. */
  private unsent: ServerResponse | undefined;
  /** Responses to requests that have not begun. */
  private readonly waiting: ServerResponse[] = [];
  /** What the parser refused, to be reported after the responses to the requests before it. */
  private refusal: ParserError | undefined;
  private readonly reading: PiecewiseReading;
  private isClosing = false;
  /** Whether no other request can follow those that are there. */
  private isLast = false;
  /** Whether nothing is read. */
  private isHeld = false;

  /** @param network whose share the connection is counted in; `undefined` for a trusted proxy */
  constructor(
    readonly socket: Socket,
    readonly network: string | undefined,
    private readonly owner: ConnectionOwner,
    private readonly handler: RequestHandler,
  ) {
    this.reading = new PiecewiseReading(socket, () => !this.isHeld);
    // Node and its users add and remove listeners of their own; an error that finds none ends the process.
    socket.on('error', ignore);
    // Node resumes a socket after every response.
    socket.on('resume', () => {
      if (this.isHeld) socket.pause();
    });
    socket.once('close', () => {
      this.forgetWaiting();
      owner.remove(this);
    });
    const destroySoon = socket.destroySoon.bind(socket);
    // Called by node after a response with `Connection: close`.
    socket.destroySoon = (): void => {
      if (this.isClosing) return;
      if (this.mayBeReceiving) this.close();
      else destroySoon();
    };
  }

  /** Takes a request from the parser. */
  accept(request: IncomingMessage, response: ServerResponse): void {
    // What the parser still finds in a packet whose connection was ended meanwhile.
    if (this.isClosing || this.isLast || !this.socket.writable) return;
    if (request.headers.upgrade !== undefined) {
      // Nothing is upgraded here, and the request is handled as any other. But node's parser passes over what follows it
      // in the same packet and takes what comes next for the beginning of a request, which it need not be.
      this.isLast = true;
      response.setHeader('Connection', 'close');
    }
    if (this.current === undefined) {
      this.enqueue(response);
      return;
    }
    this.waiting.push(response);
    if (this.waiting.length >= MAX_WAITING) this.hold();
    if (!this.owner.mayWait(this.waiting.length > MAX_WAITING)) this.socket.destroy();
  }

  /** Begins the next request. @returns false when there is none any more, because the client has gone */
  begin(): boolean {
    const { next } = this;
    if (next === undefined) return false;
    this.next = undefined;
    this.owner.setBusy(this);
    this.handler.handle(next.req, next);
    return true;
  }

  /** The request that is to begin. */
  get nextRequest(): IncomingMessage | undefined {
    return this.next?.req;
  }

  /**
   * Responds to what the parser refuses, and closes: after a syntax error it is unknown where a request begins.
   *
   * @returns false when there is nobody to respond to
   */
  refuse(error: ParserError): boolean {
    const { socket, current } = this;
    const { packet } = this.reading;
    if (this.isClosing) return false;
    // Node knows the last piece only.
    if (packet !== undefined) Object.assign(error, { rawPacket: packet });
    const response = this.waiting.at(-1) ?? current;
    if (!socket.writable || GONE.has(error.code)) {
      socket.destroy();
      return false;
    }
    if (current === undefined) this.close(this.owner.refusalText(error));
    else if (response?.req.complete === false) this.refuseBody(response, error);
    else {
      this.refusal ??= error;
      this.hold();
    }
    return true;
  }

  /** CONNECT asks for a tunnel, and this is no proxy. Node has let go of the socket by now. */
  refuseTunnel(): void {
    // Nothing that node writes on it gets anywhere any more.
    if (this.current !== undefined || !this.socket.writable) closeAtOnce(this.socket);
    else this.close(this.owner.refusalText(new Error('CONNECT is not supported')));
  }

  /** Nothing has arrived and nothing could be sent for as long as a connection may be idle. */
  timedOut(): void {
    if (this.current === undefined && !this.isClosing) this.close();
    else closeAtOnce(this.socket);
  }

  /**
   * Reads nothing while a response is not being read, so that only progress in sending counts as activity.
   *
   * @returns whether the same response was on its way the last time already
   */
  holdWhileUnsent(): boolean {
    const { current } = this;
    if (current === undefined || !current.writableEnded || current.writableFinished) return false;
    this.hold();
    const isSlow = this.unsent === current;
    this.unsent = current;
    return isSlow;
  }

  /** Reads nothing for a while: the client of a refused request is to wait. */
  holdFor(ms: number): void {
    if (this.isClosing || this.socket.destroyed) return;
    this.hold();
    setTimeout(() => {
      this.release();
    }, ms).unref();
  }

  /** The body of the last request is wrong: its reader reports that, after the key and the limit. */
  private refuseBody(response: ServerResponse, error: ParserError): void {
    if (response.headersSent) {
      this.socket.destroy();
      return;
    }
    this.isLast = true;
    response.setHeader('Connection', 'close');
    this.hold();
    breakBody(response.req, error.code);
  }

  private enqueue(response: ServerResponse): void {
    this.current = response;
    this.next = response;
    // Comes for every response that has the socket: after its end, and when the connection is lost.
    response.on('close', this.responseClosed);
    this.owner.enqueue(this);
  }

  private readonly responseClosed = (): void => {
    const { current, next: unbegun } = this;
    this.current = undefined;
    this.next = undefined;
    this.unsent = undefined;
    this.owner.setIdle(this);
    if (current !== undefined && unbegun === undefined) this.handler.end(current.req, current);
    if (this.isClosing || !this.socket.writable) {
      this.forgetWaiting();
      return;
    }
    const next = this.waiting.shift();
    if (next !== undefined) {
      this.owner.forgetWaiting(1);
      this.enqueue(next);
    } else if (this.refusal !== undefined) this.close(this.owner.refusalText(this.refusal));
    this.release();
  };

  /** Whether bytes may arrive that will not be read. */
  private get mayBeReceiving(): boolean {
    const { current, waiting, refusal, isLast } = this;
    return current?.req.complete === false || waiting.length > 0 || refusal !== undefined || isLast;
  }

  /** @param text a last response, whole */
  private close(text?: string): void {
    this.isClosing = true;
    this.isHeld = false;
    this.forgetWaiting();
    if (this.current === undefined) this.owner.setIdle(this);
    if (text !== undefined) this.socket.write(text);
    closeLingering(this.socket);
    this.reading.stop();
  }

  private hold(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.socket.pause();
  }

  private release(): void {
    if (!this.isHeld || this.waiting.length >= MAX_WAITING) return;
    this.isHeld = false;
    this.socket.resume();
    this.reading.parse();
  }

  private forgetWaiting(): void {
    this.owner.forgetWaiting(this.waiting.length);
    this.waiting.length = 0;
  }
}

const ignore = (): void => undefined;
