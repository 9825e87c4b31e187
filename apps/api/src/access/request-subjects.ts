import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { type Caller, callerOf, subjectIdOf } from '@petstore/api-key';
import {
  addressSubject,
  clientAddress,
  clientNetwork,
  type RateLimits,
  type RateLimitSubject,
  type RateLimitSubjects,
} from '@petstore/rate-limit';
import { isOfApi } from '../paths.js';
import { ACCESS_SETTINGS, type AccessSettings } from './access.settings.js';

/** What one client address may use of a publishable key (docs/contract.md, Publishable keys), unless its plan has less. */
const VISITOR: RateLimits = { perMinute: 60, perDay: 1_000 };

/** Bits of the IPv6 network that is one visitor: homes have a /56, of which each /64 would have a share of its own. */
const VISITOR_BITS = 56;

/** What a request consumes from: its key once that is accepted, until then the address that it came from. */
@Injectable()
export class RequestSubjects {
  /** What one client address may send without an accepted key. */
  private readonly withoutKey: RateLimits;

  constructor(@Inject(ACCESS_SETTINGS.KEY) { anonymousPerMinute, anonymousPerDay }: AccessSettings) {
    this.withoutKey = { perMinute: anonymousPerMinute, perDay: anonymousPerDay };
  }

  /** For the limiter. Health is exempt; docs have windows of their own, in their middleware. */
  readonly subjectOf = (request: IncomingMessage): RateLimitSubjects | undefined => {
    const caller = callerOf(request);
    if (caller !== undefined) return this.ofCaller(request, caller);
    return isOfApi(request.url ?? '') ? this.ofAddress(request) : undefined;
  };

  /**
   * The key of a caller; of a publishable one first the share of the client's address. It is never banned: a few addresses
   * with an invented `Origin` would darken a site.
   */
  private ofCaller(request: IncomingMessage, { keyId, limits, origins }: Caller): RateLimitSubjects {
    const key = { id: subjectIdOf(keyId), limits, bannable: origins === undefined };
    if (origins === undefined) return key;
    const share = {
      id: `share:${keyId}:${clientNetwork(clientAddress(request), VISITOR_BITS)}`,
      limits: {
        perMinute: Math.min(VISITOR.perMinute, limits.perMinute),
        perDay: Math.min(VISITOR.perDay, limits.perDay),
      },
      partOf: key.id,
    };
    return [share, key];
  }

  ofAddress(request: IncomingMessage, limits = this.withoutKey): RateLimitSubject {
    return addressSubject(clientAddress(request), limits);
  }
}
