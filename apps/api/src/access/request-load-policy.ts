import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf, type ApiKeyCache, readBearerToken } from '@petstore/api-key';
import type { LoadSheddingPolicy } from '@petstore/http-server';
import type { RateLimitSubject, HttpRateLimiter } from '@petstore/rate-limit';
import type { Subjects } from './subjects.js';

/** Puts on an answer what a deprecated operation says of itself, before the request is routed. */
export interface UnroutedNotices {
  announceUnrouted(request: IncomingMessage, response: ServerResponse): void;
}

/** What the policy is made of. */
export interface RequestLoadParts {
  readonly maxConcurrentRequests: number;
  readonly keys: ApiKeyCache;
  readonly subjects: Subjects;
  readonly meter: HttpRateLimiter;
  readonly notices: UnroutedNotices;
}

/** Everything under `/v1` takes part in load shedding; a refusal carries the headers that any answer there has. */
export class RequestLoadPolicy implements LoadSheddingPolicy {
  readonly maxConcurrentRequests: number;

  constructor(private readonly parts: RequestLoadParts) {
    this.maxConcurrentRequests = parts.maxConcurrentRequests;
  }

  needsPlace({ url }: IncomingMessage): boolean {
    return url?.startsWith('/v1') === true;
  }

  networkOf(request: IncomingMessage): string {
    return this.parts.subjects.networkOf(request);
  }

  keyOf(request: IncomingMessage): string | undefined {
    return callerOf(request)?.keyId;
  }

  describeRefusal(request: IncomingMessage, response: ServerResponse): void {
    const { meter, notices } = this.parts;
    notices.announceUnrouted(request, response);
    meter.recall(response, this.subjectOf(request));
  }

  /** Whom this process knows to have sent the request, without asking anybody. */
  private subjectOf(request: IncomingMessage): RateLimitSubject {
    const { keys, subjects } = this.parts;
    const accepted = callerOf(request);
    if (accepted !== undefined) return subjects.charged(request, accepted);
    const key = readBearerToken(request);
    const caller = key === undefined ? undefined : keys.get(key);
    return subjects.charged(request, caller === 'refused' ? undefined : caller);
  }
}
