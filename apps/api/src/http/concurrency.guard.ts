import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { callerOf } from '@petstore/api-key';
import { ApiError, HANDED_OVER } from '@petstore/http-server';
import { RequestRateLimiter } from '@petstore/rate-limit/nest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTP_SETTINGS, type HttpSettings } from './http.settings.js';

/** Made once: many requests are refused with it. */
const OVERLOADED = new ApiError('service_unavailable', {
  message: 'The service has more requests than it can serve at the moment. Try again shortly.',
  headers: { 'Retry-After': '1' },
});

/**
 * Bounds the requests that this process works on, and those of one key to a quarter of them. It comes behind the guard that
 * accepts keys and before the limit: what it refuses consumes nothing.
 */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  /** Requests that are being worked on. */
  running = 0;
  private readonly runningOf = new Map<string, number>();
  private readonly most: number;

  constructor(
    @Inject(HTTP_SETTINGS.KEY) { maxConcurrentRequests }: HttpSettings,
    private readonly limiter: RequestRateLimiter,
  ) {
    this.most = maxConcurrentRequests;
  }

  /** @throws ApiError service_unavailable, with the limit header fields that the process knew last */
  canActivate(context: ExecutionContext): boolean {
    const [request, response] = context.getArgs<[IncomingMessage, ServerResponse]>();
    const caller = callerOf(request);
    // A probe, or OPTIONS: cheap, and open to everybody.
    if (caller === undefined) return true;
    const ofKey = this.runningOf.get(caller.keyId) ?? 0;
    if (this.running >= this.most || ofKey >= Math.ceil(this.most / 4)) {
      this.limiter.peek(request, response);
      throw OVERLOADED;
    }
    // Its client has gone while the key was looked up: the events below have been.
    if (response.destroyed) throw OVERLOADED;
    this.count(caller.keyId, 1);
    let isCounted = true;
    const release = (): void => {
      if (isCounted) this.count(caller.keyId, -1);
      isCounted = false;
    };
    // However slowly the response is read.
    response.on(HANDED_OVER, release).on('close', release);
    return true;
  }

  private count(keyId: string, by: 1 | -1): void {
    const ofKey = (this.runningOf.get(keyId) ?? 0) + by;
    this.running += by;
    if (ofKey === 0) this.runningOf.delete(keyId);
    else this.runningOf.set(keyId, ofKey);
  }
}
