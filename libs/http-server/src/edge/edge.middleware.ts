import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, NextFunction, Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../connections/connection.js';
import { ApiError } from '../errors/api-error.js';
import { LoadShedder, slotOf } from '../load-shedding/load-shedder.js';
import { HTTP_SERVER_OPTIONS, type HttpServerOptions } from '../options/http-server.options.js';
import { MAX_HEADER_FIELDS } from '../options/limits.js';
import { normalizeTarget, recordOf, REQUEST_ID_HEADER, RequestRecord } from './request-record.js';
import { GracefulShutdown } from '../shutdown/graceful-shutdown.js';

/**
 * What happens to every request before it is routed, and at its end: `app.use(edge.use)`. One layer for all steps,
 * because Express' router spends as much on a layer as most of these steps take.
 */
@Injectable()
export class EdgeMiddleware implements NestMiddleware<Request, Response>, RequestHandler {
  constructor(
    @Inject(HTTP_SERVER_OPTIONS) private readonly options: HttpServerOptions,
    @Inject(GracefulShutdown) private readonly shutdown: GracefulShutdown,
    @Inject(LoadShedder) private readonly shedder: LoadShedder,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  /** First of all, before Express looks at the target: the record, the id, the target. Then Express calls {@link use}. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { isSecret, requests, shortenPath } = this.options;
    const record = RequestRecord.begin(request, isSecret);
    response.setHeader(REQUEST_ID_HEADER, record.id);
    // Once the shutdown has begun, a connection ends with its response (RFC 9112, section 9.6).
    if (this.shutdown.isStopping) response.setHeader('Connection', 'close');
    normalizeTarget(request, record, shortenPath);
    requests.begin(request, response);
    this.host.httpAdapter.getInstance<Express>()(request, response);
  }

  /** Runs behind middleware for every response, such as CORS: refuses, or sheds load. */
  readonly use = (request: Request, response: Response, next: NextFunction): void => {
    const refusal = refusalOfFields(request) ?? recordOf(request)?.refusal;
    if (refusal !== undefined) next(refusal);
    else if (this.shedder.admit(request, response)) next();
  };

  /** The response is sent, or its client has gone. Called once for each request that has begun. */
  end(request: IncomingMessage, response: ServerResponse): void {
    const record = recordOf(request);
    if (record === undefined) return;
    slotOf(request)?.close();
    this.options.requests.end(request, response, record);
  }
}

/** Why a request with too many header fields is refused, before any of them is looked at. */
function refusalOfFields({ rawHeaders }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length <= 2 * MAX_HEADER_FIELDS) return undefined;
  return new ApiError('headers_too_large', {
    message: `A request may have at most ${MAX_HEADER_FIELDS} header fields.`,
    headers: { Connection: 'close' },
  });
}
