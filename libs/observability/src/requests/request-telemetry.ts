import type { IncomingMessage, ServerResponse } from 'node:http';
import { ABORTED, type RequestMetrics } from '../metrics/request-metrics.js';
import { type DescribeRequest, errorCodeOf } from './request-attributes.js';
import type { RequestLog } from './request-log.js';
import { parseTraceparent } from '../tracing/trace-context.js';
import type { Tracing } from '../tracing/tracing.js';

/** Where the record of a request goes. */
export interface RequestTelemetryOptions {
  readonly describe: DescribeRequest;
  readonly log: RequestLog;
  readonly metrics: RequestMetrics;
  readonly tracing?: Tracing | undefined;
}

/**
 * Records every request: one line of the log, its metrics, and its span. Nothing that could
 * hold a secret is looked at: no path as sent, no query, no header field but `traceparent`, no body.
 */
export class RequestTelemetry {
  constructor(private readonly parts: RequestTelemetryOptions) {}

  /** Comes before everything else, so that all of it is within the time measured. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const start = performance.now();
    this.parts.metrics.begun();
    // Comes after 'finish', and also when the client disconnects before.
    response.on('close', () => {
      this.record(request, response, performance.now() - start);
    });
  }

  private record(request: IncomingMessage, response: ServerResponse, durationMs: number): void {
    const { describe, log, metrics, tracing } = this.parts;
    const { operation, requestId, keyId, quiet = false } = describe(request);
    const status = response.writableFinished ? response.statusCode : undefined;
    const code = errorCodeOf(request);
    metrics.ended(operation, status ?? ABORTED, durationMs / 1000, code);
    const traceparent = request.headers['traceparent'];
    const parent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
    const traceId =
      tracing === undefined
        ? parent?.traceId
        : tracing.record({
            request,
            operation,
            requestId,
            startedAt: Date.now() - durationMs,
            durationMs,
            status,
            parent,
          });
    const record = {
      requestId,
      traceId,
      keyId,
      operation,
      method: request.method,
      status,
      code,
      ms: Math.round(durationMs * 1000) / 1000,
      bytes: bodyBytes(request, response),
    };
    log.write(quiet ? 'debug' : 'info', record, status === undefined ? 'client disconnected' : 'request');
  }
}

/** Length of the response's body; `undefined` where it is not known beforehand. */
function bodyBytes(request: IncomingMessage, response: ServerResponse): number | undefined {
  if (request.method === 'HEAD') return 0;
  const length = response.getHeader('Content-Length');
  return length === undefined ? undefined : Number(length);
}
