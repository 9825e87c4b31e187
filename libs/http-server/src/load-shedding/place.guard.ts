import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LOAD_SHEDDING_POLICY, type LoadSheddingPolicy } from './load-shedding-policy.js';
import { overloadError } from './overload.error.js';
import { placeOf } from './request-places.js';

/**
 * Gives a request its place among those at work, and keeps one key from having more than a quarter of the places.
 * Comes after the guard that accepts the key, and before the limit: a refused request uses no quota. A request
 * without an accepted key never has a place; one whose body is read gives it back while the client is still sending.
 */
@Injectable()
export class PlaceGuard implements CanActivate {
  constructor(@Inject(LOAD_SHEDDING_POLICY) private readonly policy: LoadSheddingPolicy) {}

  /** @throws ApiError service_unavailable when no place is free, or the key has its share in use */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const keyId = this.policy.keyOf(request);
    const place = placeOf(request);
    if (keyId === undefined || place === undefined) return true;
    if (place.countFor(keyId) && place.take()) return true;
    this.policy.describeRefusal(request, http.getResponse<ServerResponse>());
    throw overloadError();
  }
}
