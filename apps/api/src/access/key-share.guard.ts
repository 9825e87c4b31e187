import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import type { RequestMeter } from '@petstore/rate-limit';
import { noPlace } from './load-shedder.js';
import { placeOf } from './request-places.js';
import type { Subjects } from './subjects.js';

/**
 * Keeps one key from taking more than a quarter of the places for requests. Comes after the guard that accepts
 * the key, and before the limit: a refused request uses no quota.
 */
export class KeyShareGuard implements CanActivate {
  constructor(
    private readonly meter: RequestMeter,
    private readonly subjects: Subjects,
  ) {}

  /** @throws ApiError service_unavailable when the key or its address has its share in use, or no place is left */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const caller = callerOf(request);
    if (caller === undefined) return true;
    const place = placeOf(request);
    // One that waited to hear of its key has given its place up.
    if (place?.countFor(caller.keyId) !== false && (place?.isWaiting !== true || place.take())) return true;
    this.meter.recall(http.getResponse<ServerResponse>(), this.subjects.charged(request, caller));
    throw noPlace();
  }
}
