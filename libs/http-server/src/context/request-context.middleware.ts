import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.js';
import { REQUEST_ID_HEADER, RequestContext } from './request-context.js';
import { REQUEST_OBSERVER, type RequestObserver } from './request-observer.js';
import { withPlainPercents } from './target.js';

/**
 * Security fields of the API's responses: no sniffing, no content that runs, no framing. Only two, because node checks
 * each character of their values in every response; pages set further ones.
 */
const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** Begins a request: its id, its record, the header fields of every response, its target in one form. */
@Injectable()
export class RequestContextMiddleware implements NestMiddleware<Request, Response> {
  constructor(
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
    @Inject(GracefulShutdown) private readonly shutdown: GracefulShutdown,
  ) {}

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const { observer } = this;
    const context = RequestContext.begin(request, observer.mayLog);
    observer.begin();
    response.once('close', () => {
      observer.end(request, response, context);
    });
    response.setHeader(REQUEST_ID_HEADER, context.id);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    // Once the shutdown has begun, a connection ends with its response (RFC 9112, section 9.6). Nothing is upgraded here, but
    // what follows such a request need not be HTTP.
    if (this.shutdown.isStopping || request.headers.upgrade !== undefined)
      response.setHeader('Connection', 'close');
    request.url = withPlainPercents(request.url);
    next();
  };
}
