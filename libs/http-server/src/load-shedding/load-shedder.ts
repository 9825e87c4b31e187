import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, JsonResponse } from '@petstore/http-kernel';
import { ConnectionTable } from '../connections/connection-table.js';
import { ERROR_HELP, type ErrorHelp } from '../errors/error-help.js';
import { expectsBody } from '../request/expects-body.js';
import { REQUEST_OBSERVER, type RequestObserver } from '../request/request-observer.js';
import { LOAD_SHEDDING_POLICY, type LoadSheddingPolicy } from './load-shedding-policy.js';
import { overloadError, RETRY_AFTER_SECONDS } from './overload.error.js';
import { RequestPlaces } from './request-places.js';
import { StallDetector } from './stall-detector.js';

/**
 * Load shedding: refuses what is beyond the process's strength, while that is cheap: before the route, the key,
 * the limit and the body, with what this process remembers. An admitted request is served as fast as ever.
 */
@Injectable()
export class LoadShedder {
  private readonly detector = new StallDetector();
  /** Without Retry-After, which depends on the limit here. */
  private readonly refusal: JsonResponse;

  constructor(
    @Inject(LOAD_SHEDDING_POLICY) private readonly policy: LoadSheddingPolicy,
    @Inject(RequestPlaces) private readonly places: RequestPlaces,
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
    @Inject(ERROR_HELP) helpOf: ErrorHelp,
  ) {
    const error = new ApiError('service_unavailable', { message: overloadError().message });
    this.refusal = JsonResponse.error(error, helpOf(error.code));
  }

  /**
   * Reserves a place for a request that needs one, or refuses it. The place is taken when the key is accepted and the
   * body is there: a request that waits for less holds none.
   *
   * @returns whether the request goes on
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { policy, places, connections } = this;
    if (!policy.needsPlace(request)) return true;
    const address = connections.networkOf(request.socket) ?? policy.networkOf(request);
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

  /** Whether nothing that needs a place has been admitted for 10 s, because all were taken all the while. */
  get isStalled(): boolean {
    return this.places.isFull && this.detector.isStalled;
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    this.observer.failed(request, 'service_unavailable');
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    this.policy.describeRefusal(request, response);
    response.once('close', () => {
      // Thousands of clients that come back at once would keep the event loop reading and refusing, and those
      // who were admitted waiting for seconds.
      this.connections.holdBack(request.socket, RETRY_AFTER_SECONDS * 1_000);
    });
    if (!expectsBody(request)) this.refusal.send(request, response);
    else {
      // A small body comes with the header fields, but is parsed after them; a response before its end would cost the
      // client its connection.
      setImmediate(() => {
        this.refusal.send(request, response);
      });
    }
  }
}
