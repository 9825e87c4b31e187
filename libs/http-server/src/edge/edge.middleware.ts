import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { assignRequestId } from '@petstore/http-kernel';
import { RequestBody } from '../body/request-body.js';
import { LoadShedder } from '../load-shedding/load-shedder.js';
import { refusalOfFields } from '../request/field-count.js';
import { REQUEST_OBSERVER, type RequestObserver } from '../request/request-observer.js';
import { refusalOf } from '../request/request-target.js';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.js';

/**
 * What happens to every request before it is routed. One layer and not one for each step, because
 * Express' router spends as much on a layer as most of these steps take: `app.use(edge.use)`.
 */
@Injectable()
export class EdgeMiddleware implements NestMiddleware<Request, Response> {
  constructor(
    @Inject(REQUEST_OBSERVER) private readonly observer: RequestObserver,
    @Inject(GracefulShutdown) private readonly shutdown: GracefulShutdown,
    @Inject(LoadShedder) private readonly shedder: LoadShedder,
  ) {}

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    this.observer.begin(request, response);
    assignRequestId(request, response);
    request.body = new RequestBody(request, response);
    this.shutdown.announce(response);
    const refusal = refusalOfFields(request) ?? refusalOf(request);
    if (refusal !== undefined) next(refusal);
    else if (this.shedder.admit(request, response)) next();
  };
}
