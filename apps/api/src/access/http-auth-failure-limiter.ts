import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, AuthFailureLimiter } from '@petstore/api-key';
import { HttpRateLimiter } from '@petstore/rate-limit';
import { Subjects } from './subjects.js';

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
