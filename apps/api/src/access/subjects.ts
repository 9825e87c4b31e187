import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { type Caller, callerOf, subjectIdOf } from '@petstore/api-key';
import {
  addressSubject,
  clientNetwork,
  clientAddress,
  type PlanLimits,
  type RateLimitSubject,
  TrustedProxies,
} from '@petstore/rate-limit';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';

/** Who is charged for a request: its key once that is accepted, until then the address it came from. */
@Injectable()
export class Subjects {
  /** What one client address may send: requests without an accepted key, and requests for the docs. */
  private readonly withoutKey: PlanLimits;
  private readonly docs: PlanLimits;

  constructor(
    private readonly proxies: TrustedProxies,
    @Inject(CONFIGURATION) configuration: Configuration,
  ) {
    const { anonymousPerMinute, anonymousPerDay, docsPerMinute, docsPerDay } = configuration;
    this.withoutKey = { perMinute: anonymousPerMinute, perDay: anonymousPerDay };
    this.docs = { perMinute: docsPerMinute, perDay: docsPerDay };
  }

  /** For the interceptor, which comes after the guard. Health is not metered, and the docs are before. */
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

  /** The network that the client of a request belongs to, with what trusted proxies say of it. */
  networkOf(request: IncomingMessage): string {
    return clientNetwork(clientAddress(request, this.proxies));
  }

  ofAddress(request: IncomingMessage): RateLimitSubject {
    return addressSubject(clientAddress(request, this.proxies), this.withoutKey);
  }

  /** Counters of their own, so that neither the docs nor refused keys use up what the other is given. */
  readonly ofDocs = (request: IncomingMessage): RateLimitSubject => {
    const subject = addressSubject(clientAddress(request, this.proxies), this.docs);
    return { ...subject, id: `${subject.id}:docs` };
  };
}
