import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiKeyCache, callerOf } from '@petstore/api-key';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import type { LoadSheddingPolicy } from '@petstore/http-server';
import { HttpRateLimiter } from '@petstore/rate-limit';
import { Subjects } from '../access/subjects.js';
import { Deprecations } from '../operations/deprecations.js';

/** Everything under `/v1` takes part in load shedding; a refusal carries the headers that any response there has. */
@Injectable()
export class RequestLoadPolicy implements LoadSheddingPolicy {
  readonly maxConcurrentRequests: number;

  constructor(
    @Inject(CONFIGURATION) { maxConcurrentRequests }: Configuration,
    private readonly keys: ApiKeyCache,
    private readonly subjects: Subjects,
    private readonly limiter: HttpRateLimiter,
    private readonly deprecations: Deprecations,
  ) {
    this.maxConcurrentRequests = maxConcurrentRequests;
  }

  needsSlot({ url }: IncomingMessage): boolean {
    return url?.startsWith('/v1') === true;
  }

  networkOf(request: IncomingMessage): string {
    return this.subjects.networkOf(request);
  }

  keyOf(request: IncomingMessage): string | undefined {
    return callerOf(request)?.keyId;
  }

  describeRefusal(request: IncomingMessage, response: ServerResponse): void {
    this.deprecations.announceUnrouted(request, response);
    this.limiter.recall(response, this.subjects.charged(request, this.keys.callerOf(request)));
  }
}
