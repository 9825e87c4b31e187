import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.js';

/** Injection token of a {@link RequestObserver}. */
export const REQUEST_OBSERVER = Symbol('RequestObserver');

/** What the app learns of requests, for its log, metrics and spans. Methods are called often, and must not wait. */
export interface RequestObserver {
  /** Called first for each request. */
  begin(): void;
  /** Called once for each request that has begun, when its response is sent or its client has gone. */
  end(request: IncomingMessage, response: ServerResponse, context: RequestContext): void;
  /** Called with the id and the error code of what node's HTTP parser refuses before there is a request. */
  refusedByParser(refusal: { readonly requestId: string; readonly code: string }): void;
  /** Called with the reason of a failure (status 500 and above). */
  failed(fields: object): void;
  /** Whether a text may stand in the log: none that looks like a key is taken for the id of a request. */
  readonly mayLog: (text: string) => boolean;
}

/** Name of the header field that carries the id of a request, in both directions. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const ACCEPTABLE = /^[\w-]{8,64}$/;

const CONTEXT = Symbol('context of a request');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type RequestWithContext = IncomingMessage & { [CONTEXT]?: RequestContext };

/** What is known of a request while it is served. */
export class RequestContext {
  /** On the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code of the error that it gets. */
  errorCode: string | undefined = undefined;
  /** Whether its response has been sent whole before it was ended: the request had not arrived completely. */
  isResponded = false;
  /** What it is called in the log, in metrics and in traces, where its route does not say it. */
  operation: string | undefined = undefined;

  constructor(readonly id: string) {}

  /** Begins the context of a request. @param mayLog whether a text may stand in the log */
  static begin(request: IncomingMessage, mayLog: (text: string) => boolean): RequestContext {
    return ((request as RequestWithContext)[CONTEXT] = new RequestContext(idFor(request, mayLog)));
  }
}

/** The context of a request that has begun. */
export function contextOf(request: IncomingMessage): RequestContext | undefined {
  return (request as RequestWithContext)[CONTEXT];
}

/** The caller's id if it is fit for a log line and holds no secret, else a new one. */
function idFor({ headers }: IncomingMessage, mayLog: (text: string) => boolean): string {
  const proposed = headers['x-request-id'];
  if (typeof proposed !== 'string' || !ACCEPTABLE.test(proposed) || !mayLog(proposed)) return randomUUID();
  // Nor a piece of the key that the request carries, of whatever form that is.
  return headers.authorization?.includes(proposed) === true ? randomUUID() : proposed;
}

/** Whether the client of a request is still to send a body, or the rest of one (RFC 9112, section 6). */
export function expectsBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** No content that runs, no framing. Node checks each character in every response, so it is short; pages have their own. */
const POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Begins requests: their ids, their records, the header fields of every response. */
@Injectable()
export class RequestContexts {
  constructor(
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
    @Inject(GracefulShutdown) private readonly shutdown: GracefulShutdown,
  ) {}

  /** The first step of every request. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { observer } = this;
    const context = RequestContext.begin(request, observer.mayLog);
    observer.begin();
    // Node emits it once; `once` would make three more objects for each request.
    response.on('close', () => {
      observer.end(request, response, context);
    });
    response.setHeader(REQUEST_ID_HEADER, context.id);
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // A connection ends with its response (RFC 9112, section 9.6) once the listener is closed. Nothing is upgraded here, but what
    // follows such a request need not be HTTP.
    if (this.shutdown.endsConnections || request.headers.upgrade !== undefined)
      response.setHeader('Connection', 'close');
  }
}
