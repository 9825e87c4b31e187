import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import cors from 'cors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { OPERATION_SETTINGS, type OperationSettings } from './operations.settings.js';
import { API_BASE_PATH } from './paths.js';
import { OperationRegistry } from './register-operations.js';

/**
 * Request header fields that responses of the contract depend on (RFC 9110, section 12.5.5). Every response names them, so
 * that no cache gives the response for one origin to another, whatever the operator allows at the time. They are set before
 * CORS, which adds nothing to a list with `Origin`.
 */
const VARY = 'Origin, Authorization';

/** Seconds for which a browser keeps the response to a preflight; browsers use at most two hours. */
const MAX_AGE_S = 7_200;

/** Request header fields of any operation, besides those that need no permission; tracing sends the last three. */
const SENT_ALWAYS = [
  ...['Authorization', 'Content-Type', 'X-Request-Id'],
  ...['traceparent', 'tracestate', 'baggage'],
];

/**
 * Lets pages of other origins call the API from a browser (Fetch standard, section 3.2), if the operator allows it: with the
 * methods and request header fields of the operations, and access to all response header fields. Cookies are not allowed; a
 * key in a field that the page sets itself is no credential in that standard's sense.
 *
 * A preflight continues to the handler of OPTIONS, and is rate limited like any.
 */
@Injectable()
export class CrossOriginMiddleware implements NestMiddleware<Request, Response> {
  private readonly allow: RequestHandler | undefined;

  constructor(
    { methods, requestHeaders, responseHeaders }: OperationRegistry,
    @Inject(OPERATION_SETTINGS.KEY) { corsOrigins }: OperationSettings,
  ) {
    if (corsOrigins === undefined) return;
    this.allow = cors({
      origin: corsOrigins === '*' ? corsOrigins : [...corsOrigins],
      methods: [...methods],
      allowedHeaders: [...SENT_ALWAYS, ...requestHeaders].sort(),
      exposedHeaders: responseHeaders.map(({ name }) => name),
      maxAge: MAX_AGE_S,
      preflightContinue: true,
    });
  }

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    if (request.url.startsWith(API_BASE_PATH)) response.setHeader('Vary', VARY);
    if (this.allow === undefined) next();
    else this.allow(request, response, next);
  };
}
