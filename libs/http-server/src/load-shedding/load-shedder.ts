import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectsBody } from '../adapter/message-classes.js';
import { ConnectionTable } from '../connections/connection-table.js';
import { recordOf } from '../edge/request-record.js';
import { ApiError } from '../errors/api-error.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';
import { JsonResponse } from '../responses/responses.js';
import { RequestSlots } from './request-slots.js';

/** After so many milliseconds in which requests were refused and none was admitted, the process has stalled. */
const STALLED_MS = 10_000;

/** Seconds after which a refused client may come back. */
const RETRY_AFTER_SECONDS = 1;

/** The refusal of a request for which there is no slot, or whose address or key has its share in use. */
export function overloadError(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service has more requests than it can serve at the moment. Try again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

/**
 * Load shedding: refuses what is beyond the process's strength, while that is cheap: before the route, the key,
 * the limit and the body, with what this process remembers. An admitted request is served as fast as ever.
 *
 * As a guard it gives a request its slot among those at work, and keeps one key from having more than a quarter of the
 * slots. It comes after the guard that accepts the key, and before the limit: a refused request uses no quota. A request
 * without an accepted key never has a slot; one whose handler reads a body has it from when the body is there.
 */
@Injectable()
export class LoadShedder implements CanActivate {
  private readonly slots: RequestSlots;
  /** Without Retry-After, which depends on the limit here. */
  private readonly refusal: JsonResponse;
  /** Since when requests have been refused without one being admitted, on the clock of `performance.now()`. */
  private refusingSince: number | undefined;

  constructor(
    @Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions,
    @Inject(ConnectionTable) private readonly connections: ConnectionTable,
  ) {
    this.slots = new RequestSlots(options.requests.maxConcurrentRequests);
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
    const { requests } = this.options;
    const record = recordOf(request);
    if (record === undefined || !requests.needsSlot(request)) return true;
    const address = connections.networkOf(request.socket) ?? requests.networkOf(request);
    if (!slots.isFull && !slots.addresses.isUsed(address)) {
      this.refusingSince = undefined;
      record.slot = slots.reserve(address);
      return true;
    }
    if (slots.isFull) this.refusingSince ??= performance.now();
    record.errorCode = 'service_unavailable';
    this.refuse(request, response);
    return false;
  }

  /** @throws ApiError service_unavailable when no slot is free, or the key has its share in use */
  canActivate(context: ExecutionContext): boolean {
    const { requests } = this.options;
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    const keyId = requests.keyOf(request);
    const slot = recordOf(request)?.slot;
    if (keyId === undefined || slot === undefined) return true;
    if (slot.begin(keyId, context.getHandler(), expectsBody(request))) return true;
    requests.describeRefusal(request, response);
    throw overloadError();
  }

  /** Whether nothing that needs a slot has been admitted for 10 s, because all were taken all the while. */
  get isStalled(): boolean {
    const { slots, refusingSince } = this;
    return slots.isFull && refusingSince !== undefined && performance.now() - refusingSince >= STALLED_MS;
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    this.options.requests.describeRefusal(request, response);
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
