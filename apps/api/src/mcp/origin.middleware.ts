import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '@petstore/http-server';
import { limitRequest, RateLimiter } from '@petstore/rate-limit';
import { API_KEY_ERRORS } from '../access/access.errors.js';
import { RequestSubjects } from '../access/request-subjects.js';
import { HTTP_SETTINGS, type HttpSettings, isListedOrigin } from '../http/http.settings.js';

const REFUSED = new ApiError(API_KEY_ERRORS.origin_not_allowed, {
  message: 'Pages of this origin may not call the service: CORS_ORIGINS does not name it.',
});

/**
 * Refuses requests of pages that the operator has not named, before their key is looked at: a page of a stranger, whose name
 * leads to a service on the reader's machine, would reach it otherwise. Metered by the client's address, not by the key.
 */
@Injectable()
export class OriginMiddleware implements NestMiddleware<Request, Response> {
  constructor(
    @Inject(HTTP_SETTINGS.KEY) private readonly settings: HttpSettings,
    private readonly limiter: RateLimiter,
    private readonly subjects: RequestSubjects,
  ) {}

  /** @throws ApiError origin_not_allowed; RateLimitExceededError */
  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { origin } = request.headers;
    if (origin === undefined || isListedOrigin(this.settings, origin)) {
      next();
      return;
    }
    await limitRequest(this.limiter, response, this.subjects.ofAddress(request));
    throw REFUSED;
  }
}
