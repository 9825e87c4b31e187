import type { IncomingMessage, ServerResponse } from 'node:http';

/** Port: what load shedding asks the app about requests. All of it is asked often, and served from memory. */
export interface LoadSheddingPolicy {
  /** Most requests that are worked on at once, at least 1. */
  readonly maxConcurrentRequests: number;
  /** Whether a request needs a place; others, such as health probes, always go on. Asked before the route is known. */
  needsPlace(request: IncomingMessage): boolean;
  /** The network of a client behind a trusted proxy, whose connection stands for many clients. */
  networkOf(request: IncomingMessage): string;
  /** Who shares places, once that is known: the key that the request was accepted with. */
  keyOf(request: IncomingMessage): string | undefined;
  /**
   * Sets the header fields that a refusal carries beside `Retry-After`, such as those of limits. It may replace
   * `Retry-After` by a longer time.
   */
  describeRefusal(request: IncomingMessage, response: ServerResponse): void;
}

/** Injection token of {@link LoadSheddingPolicy}. */
export const LOAD_SHEDDING_POLICY = Symbol('LoadSheddingPolicy');
