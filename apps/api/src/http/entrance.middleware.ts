import type { RequestHandler } from 'express';
import { assignRequestId } from '@petstore/http-kernel';
import type { RequestWatch } from '@petstore/observability';
import type { Overload } from '../access/overload.js';
import { refusalOfFields } from './field-count.js';
import type { GracefulStop } from './graceful-stop.js';
import { makeRoutable } from './request-target.js';

/**
 * Middleware: what happens to every request before it is known what it wants. One layer and not one for each
 * step, because Express' router spends as much on a layer as most of these steps take.
 */
export function entrance(watch: RequestWatch, stop: GracefulStop, overload: Overload): RequestHandler {
  return (request, response, next) => {
    watch.begin(request, response);
    assignRequestId(request, response);
    stop.announce(response);
    const refusal = refusalOfFields(request);
    if (refusal !== undefined) next(refusal);
    else if (!overload.refuse(request, response)) next(makeRoutable(request));
  };
}
