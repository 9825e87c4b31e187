import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@petstore/http-kernel';
import type { RateLimitSubject, RequestMeter, SubjectOf } from '@petstore/rate-limit';

/**
 * Refuses what is beyond the process's strength while that is still cheap: after the key, before the limit
 * is charged and the body read. Whoever is admitted is served as fast as ever.
 */
export class OverloadGuard implements CanActivate {
  /**
   * @param inFlight how many requests are being worked on in this process
   * @param most how many of them are served; more would only wait for each other
   */
  constructor(
    private readonly inFlight: () => number,
    private readonly most: number,
    private readonly meter: RequestMeter,
    private readonly subjectOf: SubjectOf,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.inFlight() <= this.most) return true;
    const http = context.switchToHttp();
    const subject = this.subjectOf(http.getRequest<IncomingMessage>());
    // Health is answered in every state.
    return subject === undefined || this.refuse(http.getResponse<ServerResponse>(), subject);
  }

  private async refuse(response: ServerResponse, subject: RateLimitSubject): Promise<never> {
    await this.meter.describe(response, subject);
    throw new ApiError('service_unavailable', {
      message: 'The service has more requests than it can serve at the moment. Try again shortly.',
      headers: { 'Retry-After': '1' },
    });
  }
}
