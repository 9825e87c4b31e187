import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestRecord, ShortenPath } from '../edge/request-record.js';
import type { ApiError } from '../errors/api-error.js';

/** Why a connection was not taken, or was ended by the service. */
export type DropReason =
  /** Its address has its share of connections, and none of them was idle. */
  | 'address_limit'
  /**
   * It was idle or slow for the longest, and made room: for one of its address, or for any when all slots are taken.
   */
  | 'made_room'
  /** No connection was idle. */
  | 'full'
  /** Too many pipelined requests wait in the process. */
  | 'pipelined'
  /** The system could not give it to the process, for want of memory or by a firewall. */
  | 'not_accepted';

/** How many connections there may be, and what is called for those that are dropped. */
export interface ConnectionLimits {
  /** Most open connections. */
  readonly most: number;
  /** Most open connections of one address, or of one IPv6 /64. */
  readonly mostPerAddress: number;
  /** The network that an address is counted in; `undefined` for a trusted proxy, which stands for many. */
  readonly networkOf: (address: string | undefined) => string | undefined;
  readonly dropped: (reason: DropReason) => void;
}

/** Port: the app's part in each request. Methods are called often, and must not wait. */
export interface RequestPolicy {
  /** Most requests that are worked on at once, at least 1. */
  readonly maxConcurrentRequests: number;
  /** Called first for each request: counts it, and sets the header fields that every response to it carries. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Whether a request needs a slot; others, such as health probes, always go on. Asked before the route is known. */
  needsSlot(request: IncomingMessage): boolean;
  /** The network of a client behind a trusted proxy, whose connection stands for many clients. */
  networkOf(request: IncomingMessage): string;
  /** The key that the request was accepted with: requests of one key share slots. */
  keyOf(request: IncomingMessage): string | undefined;
  /**
   * Sets the header fields that a refusal carries beside `Retry-After`, such as those of limits. It may replace
   * `Retry-After` by a longer time.
   */
  describeRefusal(request: IncomingMessage, response: ServerResponse): void;
  /** Called once for each request that has begun, when its response is sent or its client has gone: for log, metrics, traces. */
  end(request: IncomingMessage, response: ServerResponse, record: RequestRecord): void;
  /** Called for what node's HTTP parser refuses, or a connection loses, before there is a request. */
  refusedByParser(): void;
}

/**
 * Where the docs explain the errors with this code: the target of the link with `rel="help"` (RFC 8288) that every
 * response with an error carries.
 */
export type ErrorHelp = (code: string) => string;

/** What the app supplies to the HTTP server. */
export interface HttpServerOptions {
  readonly connections: ConnectionLimits;
  readonly requests: RequestPolicy;
  readonly errors: {
    /** The error for an exception of the app's own layers; `undefined` for one it does not know. */
    readonly translate: (exception: unknown) => ApiError | undefined;
    /** Where the reasons of failures are logged; pino's loggers are one. */
    readonly log: { error(fields: object, message: string): void };
  };
  readonly helpOf: ErrorHelp;
  readonly shortenPath: ShortenPath;
  /** Whether a text looks like a secret, such as a key: then it is no id of a request. */
  readonly isSecret: (text: string) => boolean;
  /** How a shutdown goes; 1 s and 4 s unless given, which leaves as much for everything that is closed after the server. */
  readonly shutdown?: {
    /** Time in which new requests are still served, each response with `Connection: close`. */
    readonly drainMs: number;
    /** Time that running requests have after the drain, before their connections are ended. */
    readonly finishMs: number;
  };
}

/** Injection token of {@link HttpServerOptions}. */
export const HTTP_SERVER_OPTIONS = Symbol('HttpServerOptions');
