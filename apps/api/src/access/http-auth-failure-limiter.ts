import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, AuthFailureLimiter } from '@petstore/api-key';
import type { HttpRateLimiter } from '@petstore/rate-limit';
import type { Subjects } from './subjects.js';

/** Lets the guard charge what it refuses to the same limiter as everything else. */
export class HttpAuthFailureLimiter implements AuthFailureLimiter {
  constructor(
    private readonly meter: HttpRateLimiter,
    private readonly subjects: Subjects,
  ) {}

  charge(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined): Promise<void> {
    return this.meter.charge(response, this.subjects.charged(request, caller));
  }

  async describe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.meter.describe(response, this.subjects.ofAddress(request));
  }

  clientOf(request: IncomingMessage): string {
    return this.subjects.networkOf(request);
  }
}
