import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';
import { expectsBody } from '../request/expects-body.js';
import { slotOf } from './request-slots.js';

/** Seconds after which a refused client may come back. */
export const RETRY_AFTER_SECONDS = 1;

/** The refusal of a request for which there is no slot, or whose address or key has its share in use. */
export function overloadError(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service has more requests than it can serve at the moment. Try again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}

/**
 * Gives a request its slot among those at work, and keeps one key from having more than a quarter of the slots.
 * Comes after the guard that accepts the key, and before the limit: a refused request uses no quota. A request
 * without an accepted key never has a slot; one whose handler reads a body has it from when the body is there.
 */
@Injectable()
export class RequestSlotGuard implements CanActivate {
  constructor(@Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions) {}

  /** @throws ApiError service_unavailable when no slot is free, or the key has its share in use */
  canActivate(context: ExecutionContext): boolean {
    const { loadShedding } = this.options;
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const keyId = loadShedding.keyOf(request);
    const slot = slotOf(request);
    if (keyId === undefined || slot === undefined) return true;
    if (slot.begin(keyId, context.getHandler(), expectsBody(request))) return true;
    loadShedding.describeRefusal(request, http.getResponse<ServerResponse>());
    throw overloadError();
  }
}
