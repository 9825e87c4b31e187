import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { EmptyResponse, RequestContexts, requireForm } from '@petstore/http-server';
import { DocsMiddleware } from '../docs/docs.middleware.js';
import { Deprecations } from '../operations/deprecations.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { doorOf } from '../paths.js';
import { CrossOriginPolicy, isPreflight } from './cross-origin.policy.js';

/** What every request passes before it is routed, in this order. One middleware: Express makes several objects for each. */
@Injectable()
export class EdgeMiddleware implements NestMiddleware<Request, Response> {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly origins: CrossOriginPolicy,
    private readonly operations: OperationRegistry,
    private readonly deprecations: Deprecations,
    private readonly docs: DocsMiddleware,
  ) {}

  /** @throws ApiError for a request whose form is wrong */
  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    this.contexts.begin(request, response);
    this.origins.apply(request, response);
    requireForm(request);
    // Whatever it asks for: a page whose preflight is refused for its address could not read why.
    if (isPreflight(request)) {
      new EmptyResponse(this.operations.pathHeaders(request.url)).send(request, response);
      return;
    }
    this.deprecations.announce(request, response);
    const door = doorOf(request.url);
    // Health is served without a limit: a balancer that probes must never be refused.
    if (door === 'docs' || door === 'none') this.docs.use(request, response, next);
    else next();
  };
}
