import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionTable } from '../connections/connection-table.js';
import { ApiError } from '../errors/api-error.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';
import { expectsBody } from '../request/expects-body.js';
import { JsonResponse } from '../responses/responses.js';
import { overloadError, RETRY_AFTER_SECONDS } from './request-slot.guard.js';
import { RequestSlots } from './request-slots.js';

/** After so many milliseconds in which requests were refused and none was admitted, the process has stalled. */
const STALLED_MS = 10_000;

/**
 * Load shedding: refuses what is beyond the process's strength, while that is cheap: before the route, the key,
 * the limit and the body, with what this process remembers. An admitted request is served as fast as ever.
 */
@Injectable()
export class LoadShedder {
  private readonly slots: RequestSlots;
  /** Without Retry-After, which depends on the limit here. */
  private readonly refusal: JsonResponse;
  /** Since when requests have been refused without one being admitted, on the clock of `performance.now()`. */
  private refusingSince: number | undefined;

  constructor(
    @Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions,
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
  ) {
    this.slots = new RequestSlots(options.loadShedding.maxConcurrentRequests);
    const error = new ApiError('service_unavailable', { message: overloadError().message });
    this.refusal = JsonResponse.error(error, options.helpOf(error.code));
  }

  /**
   * Reserves a slot for a request that needs one, or refuses it.
   *
   * @returns whether the request goes on
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { slots, connections } = this;
    const { loadShedding } = this.options;
    if (!loadShedding.needsSlot(request)) return true;
    const address = connections.networkOf(request.socket) ?? loadShedding.networkOf(request);
    if (!slots.isFull && !slots.addresses.isUsed(address)) {
      this.refusingSince = undefined;
      slots.reserve(request, response, address);
      return true;
    }
    if (slots.isFull) this.refusingSince ??= performance.now();
    this.refuse(request, response);
    return false;
  }

  /** Whether nothing that needs a slot has been admitted for 10 s, because all were taken all the while. */
  get isStalled(): boolean {
    const { slots, refusingSince } = this;
    return slots.isFull && refusingSince !== undefined && performance.now() - refusingSince >= STALLED_MS;
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    this.options.observer.failed(request, 'service_unavailable');
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    this.options.loadShedding.describeRefusal(request, response);
    response.once('close', () => {
      // Thousands of clients that come back at once would keep the event loop reading and refusing, and those
      // who were admitted waiting for seconds.
      this.connections.holdBack(request.socket, RETRY_AFTER_SECONDS * 1_000);
    });
    const respond = (): void => {
      this.refusal.send(request, response);
    };
    // A small body comes with the header fields, but is parsed after them; a response before its end would cost the
    // client its connection.
    if (expectsBody(request)) setImmediate(respond);
    else respond();
  }
}
