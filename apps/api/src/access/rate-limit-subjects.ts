import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { type Caller, callerOf, subjectIdOf } from '@petstore/api-key';
import {
  addressSubject,
  clientAddress,
  type RateLimits,
  type RateLimitSubject,
  TrustedProxies,
} from '@petstore/rate-limit';
import { ACCESS_SETTINGS, type AccessSettings } from './access.settings.js';

const API_PATH = /^\/v1(?:[/?]|$)/;

/** What a request consumes from: its key once that is accepted, until then the address that it came from. */
@Injectable()
export class RateLimitSubjects {
  private readonly proxies: TrustedProxies;
  /** What one client address may send without an accepted key. */
  private readonly withoutKey: RateLimits;

  constructor(
    @Inject(ACCESS_SETTINGS.KEY) { anonymousPerMinute, anonymousPerDay, trustedProxies = [] }: AccessSettings,
  ) {
    this.proxies = new TrustedProxies(trustedProxies);
    this.withoutKey = { perMinute: anonymousPerMinute, perDay: anonymousPerDay };
  }

  /** For the limiter. Health is exempt; docs have windows of their own, in their middleware. */
  readonly subjectOf = (request: IncomingMessage): RateLimitSubject | undefined => {
    const caller = callerOf(request);
    const isLimited = caller !== undefined || API_PATH.test(request.url ?? '');
    return isLimited ? this.ofCaller(request, caller) : undefined;
  };

  /** The subject of a caller: the address where there is none. */
  ofCaller(request: IncomingMessage, caller: Caller | undefined): RateLimitSubject {
    if (caller === undefined) return this.ofAddress(request);
    return { id: subjectIdOf(caller.keyId), limits: caller.limits, bannable: true };
  }

  ofAddress(request: IncomingMessage, limits = this.withoutKey): RateLimitSubject {
    return addressSubject(clientAddress(request, this.proxies), limits);
  }
}
