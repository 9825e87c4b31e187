import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import type { HttpRateLimiter } from '@petstore/rate-limit';
import { expectsBody } from '../http/expects-body.js';
import { readsBody } from '../http/validation.js';
import { noPlace } from './load-shedder.js';
import { placeOf } from './request-places.js';
import type { Subjects } from './subjects.js';

/**
 * Gives a request its place among those at work, and keeps one key from having more than a quarter of the places.
 * Comes after the guard that accepts the key, and before the limit: a refused request uses no quota. A request
 * without an accepted key never has a place, and one takes it later whose handler reads a body that is still to come.
 */
export class PlaceGuard implements CanActivate {
  constructor(
    private readonly meter: HttpRateLimiter,
    private readonly subjects: Subjects,
  ) {}

  /** @throws ApiError service_unavailable when no place is free, or the key has its share in use */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const caller = callerOf(request);
    const place = placeOf(request);
    if (caller === undefined || place === undefined) return true;
    const isTakenLater = expectsBody(request) && readsBody(context.getHandler());
    if (place.countFor(caller.keyId) && (isTakenLater || place.take())) return true;
    this.meter.recall(http.getResponse<ServerResponse>(), this.subjects.charged(request, caller));
    throw noPlace();
  }
}
