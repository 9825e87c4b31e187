import type { RequestHandler } from 'express';
import { assignRequestId } from '@petstore/http-kernel';
import type { RequestTelemetry } from '@petstore/observability';
import type { LoadShedder } from '../access/load-shedder.js';
import { refusalOfFields } from './field-count.js';
import type { GracefulStop } from './graceful-stop.js';
import { refusalOf } from './request-target.js';

/**
 * Middleware: what happens to every request before it is known what it wants. One layer and not one for each
 * step, because Express' router spends as much on a layer as most of these steps take.
 */
export function edge(watch: RequestTelemetry, stop: GracefulStop, shedder: LoadShedder): RequestHandler {
  return (request, response, next) => {
    watch.begin(request, response);
    assignRequestId(request, response);
    stop.announce(response);
    const refusal = refusalOfFields(request) ?? refusalOf(request);
    if (refusal !== undefined) next(refusal);
    else if (shedder.admit(request, response)) next();
  };
}
