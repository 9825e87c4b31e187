import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type KeyRing, presentedKey } from '@petstore/api-key';
import { Answer, ApiError } from '@petstore/http-kernel';
import { noteErrorCode } from '@petstore/observability';
import type { RateLimitSubject, RequestMeter } from '@petstore/rate-limit';
import type { Deprecation } from '../operations/deprecation.js';
import type { Subjects } from './subjects.js';

const REFUSAL = Answer.error(
  new ApiError('service_unavailable', {
    message: 'The service has more requests than it can serve at the moment. Try again shortly.',
  }),
);

/** Seconds after which a refused client may come back. */
const RETRY_AFTER = 1;

/** What the decision is made of. */
export interface OverloadParts {
  /** How many requests are being worked on in this process. */
  readonly inFlight: () => number;
  /** How many of them are served; more would only wait for each other. */
  readonly most: number;
  readonly keys: KeyRing;
  readonly subjects: Subjects;
  readonly meter: RequestMeter;
  readonly deprecation: Deprecation;
}

/** The deprecated operation as it looks before it is routed. */
const GET_PET = /^\/v1\/pets\/[^/?]+(?:\?|$)/;

/**
 * Refuses what is beyond the process's strength, while that is cheap: before the route, the key, the limit
 * and the body, with what this process remembers. Whoever is admitted is served as fast as ever.
 */
export class Overload {
  constructor(private readonly parts: OverloadParts) {}

  /** Answers a request for which there is no strength left; whether it did. Health and docs are always served. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean {
    const { inFlight, most, meter, deprecation } = this.parts;
    if (inFlight() <= most || request.url?.startsWith('/v1') !== true) return false;
    const { method = '', url } = request;
    if (GET_PET.test(url) && (method === 'GET' || method === 'HEAD')) deprecation.announce(response);
    noteErrorCode(request, 'service_unavailable');
    response.setHeader('Retry-After', RETRY_AFTER);
    // Overrides Retry-After where the limit asks for more patience.
    meter.recall(response, this.subjectOf(request));
    response.once('close', () => {
      holdBack(request.socket);
    });
    REFUSAL.send(request, response);
    return true;
  }

  private subjectOf(request: IncomingMessage): RateLimitSubject {
    const { keys, subjects } = this.parts;
    const key = presentedKey(request);
    const caller = key === undefined ? undefined : keys.recall(key);
    return subjects.charged(request, caller === 'refused' ? undefined : caller);
  }
}

/**
 * Reads nothing more from a connection until its client may come back. Thousands of clients that come back at
 * once would keep the event loop reading and refusing, and those who were admitted waiting for seconds.
 */
function holdBack(socket: Socket): void {
  socket.pause();
  setTimeout(() => socket.resume(), RETRY_AFTER * 1000).unref();
}
