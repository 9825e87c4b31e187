import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AuthFailureLimiter, type Caller, callerOf, subjectIdOf } from '@petstore/api-key';
import {
  addressSubject,
  clientNetwork,
  clientAddress,
  HttpRateLimiter,
  type PlanLimits,
  type RateLimitSubject,
  TrustedProxies,
} from '@petstore/rate-limit';
import { ACCESS_SETTINGS, type AccessSettings } from './access.settings.js';

/** Who is charged for a request: its key once that is accepted, until then the address it came from. */
@Injectable()
export class Subjects {
  /** What one client address may send without an accepted key. */
  private readonly withoutKey: PlanLimits;

  constructor(
    private readonly proxies: TrustedProxies,
    @Inject(ACCESS_SETTINGS.KEY) { anonymousPerMinute, anonymousPerDay }: AccessSettings,
  ) {
    this.withoutKey = { perMinute: anonymousPerMinute, perDay: anonymousPerDay };
  }

  /** For the interceptor, which comes after the guard. Health is exempt; docs are charged earlier, in middleware. */
  readonly of = (request: IncomingMessage): RateLimitSubject | undefined => {
    const caller = callerOf(request);
    const metered = caller !== undefined || request.url?.startsWith('/v1/') === true;
    return metered ? this.charged(request, caller) : undefined;
  };

  /** The subject charged for a request of this caller: the address where there is none. */
  charged(request: IncomingMessage, caller: Caller | undefined): RateLimitSubject {
    if (caller === undefined) return this.ofAddress(request);
    return { id: subjectIdOf(caller.keyId), limits: caller.limits, bannable: true };
  }

  /** The network of the client of a request, whose address trusted proxies may name. */
  networkOf(request: IncomingMessage): string {
    return clientNetwork(clientAddress(request, this.proxies));
  }

  ofAddress(request: IncomingMessage, limits = this.withoutKey): RateLimitSubject {
    return addressSubject(clientAddress(request, this.proxies), limits);
  }
}

/** Lets the guard charge what it refuses to the same limiter as everything else. */
@Injectable()
export class HttpAuthFailureLimiter implements AuthFailureLimiter {
  constructor(
    private readonly limiter: HttpRateLimiter,
    private readonly subjects: Subjects,
  ) {}

  charge(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined): Promise<void> {
    return this.limiter.charge(response, this.subjects.charged(request, caller));
  }

  async describe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.limiter.describe(response, this.subjects.ofAddress(request));
  }
}
