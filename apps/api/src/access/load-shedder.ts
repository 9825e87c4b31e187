import type { IncomingMessage, ServerResponse } from 'node:http';
import { type KeyRing, presentedKey } from '@petstore/api-key';
import { ApiError, JsonResponse } from '@petstore/http-kernel';
import { noteErrorCode } from '@petstore/observability';
import type { RateLimitSubject, RequestMeter } from '@petstore/rate-limit';
import { expectsBody } from '../http/expects-body.js';
import type { RequestPlaces } from './request-places.js';
import { StallDetector } from './stall-detector.js';
import type { Subjects } from './subjects.js';

/** Seconds after which a refused client may come back. */
const RETRY_AFTER = 1;

/** What the decision is made of. */
export interface LoadShedderParts {
  readonly places: RequestPlaces;
  /** The network of the client, whose share of the places is bounded. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Lets the client of a refused request wait before it is read again, in milliseconds. */
  readonly holdBack: (request: IncomingMessage, ms: number) => void;
  readonly keys: KeyRing;
  readonly subjects: Subjects;
  readonly meter: RequestMeter;
  /** Puts on the answer what a deprecated operation says of itself, before the request is routed. */
  readonly announceDeprecation: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Load shedding: refuses what is beyond the process's strength, while that is cheap: before the route, the key,
 * the limit and the body, with what this process remembers. Whoever is admitted is served as fast as ever.
 */
export class LoadShedder {
  private readonly detector = new StallDetector();

  constructor(private readonly parts: LoadShedderParts) {}

  /**
   * Reserves a place for a request under `/v1`, or answers it. The place is taken when the key is accepted and the
   * body is there: whoever waits for less holds none. Health and docs need none.
   *
   * @returns whether the request goes on
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith('/v1') !== true) return true;
    const { places, addressOf } = this.parts;
    const address = addressOf(request);
    const hasRoom = !places.isFull && !places.addresses.isUsed(address);
    if (hasRoom) {
      this.detector.admitted();
      places.reserve(request, response, address);
    } else {
      if (places.isFull) this.detector.refused();
      this.refuse(request, response);
    }
    return hasRoom;
  }

  /** Whether nothing under `/v1` has been admitted for 10 s, because all places were taken all the while. */
  get isStalled(): boolean {
    return this.parts.places.isFull && this.detector.isStalled;
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    const { meter, announceDeprecation, holdBack } = this.parts;
    announceDeprecation(request, response);
    noteErrorCode(request, 'service_unavailable');
    response.setHeader('Retry-After', RETRY_AFTER);
    // Overrides Retry-After where the limit asks for more patience.
    meter.recall(response, this.subjectOf(request));
    response.once('close', () => {
      // Thousands of clients that come back at once would keep the event loop reading and refusing, and those
      // who were admitted waiting for seconds.
      holdBack(request, RETRY_AFTER * 1_000);
    });
    if (!expectsBody(request)) REFUSAL.send(request, response);
    else {
      // A small body comes with the header fields, but is parsed after them; an answer before its end would cost the
      // client its connection.
      setImmediate(() => {
        REFUSAL.send(request, response);
      });
    }
  }

  private subjectOf(request: IncomingMessage): RateLimitSubject {
    const { keys, subjects } = this.parts;
    const key = presentedKey(request);
    const caller = key === undefined ? undefined : keys.recall(key);
    return subjects.charged(request, caller === 'refused' ? undefined : caller);
  }
}

/** The refusal of a request for which there is no place, or whose address or key has its share in use. */
export function noPlace(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service has more requests than it can serve at the moment. Try again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER) },
  });
}

/** Without Retry-After, which depends on the limit here. */
const REFUSAL = JsonResponse.error(new ApiError('service_unavailable', { message: noPlace().message }));
