import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { RequestBody } from '../body/request-body.js';
import { ApiError } from '../errors/api-error.js';
import { assignRequestId } from '../headers/request-id.js';
import { LoadShedder } from '../load-shedding/load-shedder.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';
import { refusalOf } from '../request/request-target.js';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.js';

/** Most header fields of a request, as of Apache and others; browsers behind several proxies send half of it. */
const MAX_FIELDS = 100;

/**
 * How many fields node is to keep: one more than there may be, so that it shows. It drops what is beyond without
 * a word, a second `Authorization` included; the length of the body it does not take from these.
 */
export const MAX_FIELDS_KEPT = MAX_FIELDS + 1;

/**
 * What happens to every request before it is routed. One layer and not one for each step, because
 * Express' router spends as much on a layer as most of these steps take: `app.use(edge.use)`.
 */
@Injectable()
export class EdgeMiddleware implements NestMiddleware<Request, Response> {
  constructor(
    @Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions,
    @Inject(GracefulShutdown) private readonly shutdown: GracefulShutdown,
    @Inject(LoadShedder) private readonly shedder: LoadShedder,
  ) {}

  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    this.options.observer.begin(request, response);
    assignRequestId(request, response);
    request.body = new RequestBody(request, response);
    this.shutdown.announce(response);
    const refusal = refusalOfFields(request) ?? refusalOf(request);
    if (refusal !== undefined) next(refusal);
    else if (this.shedder.admit(request, response)) next();
  };
}

/** Why a request with too many header fields is refused, before any of them is looked at. */
function refusalOfFields({ rawHeaders }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length <= 2 * MAX_FIELDS) return undefined;
  return new ApiError('headers_too_large', {
    message: `A request may have at most ${MAX_FIELDS} header fields.`,
    headers: { Connection: 'close' },
  });
}
