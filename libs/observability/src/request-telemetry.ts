import type { IncomingMessage, ServerResponse } from 'node:http';
import { ABORTED, type RequestMetrics } from './http-metrics.js';
import type { RequestLog } from './request-log.js';
import { parseTraceparent, type Tracing } from './tracing.js';

/** Where the record of a request goes. */
export interface RequestTelemetryOptions {
  readonly log: RequestLog;
  readonly metrics: RequestMetrics;
  readonly tracing?: Tracing | undefined;
}

/** What the application knows of a request once its response is out. */
export interface RequestAttributes {
  /** Id of the operation, or the name of a group of paths: one of a few dozen words, never a path as sent. */
  readonly operation: string;
  readonly requestId: string | undefined;
  /** Id of the key that the request was accepted with; never the key. */
  readonly keyId: string | undefined;
  /** The code of the error that it got. */
  readonly code: string | undefined;
  /** When it began, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Whether its response was sent whole, though it was not ended. */
  readonly isResponded?: boolean;
  /** Whether its line is for debugging only, as for what probes ask every second. Metrics count it all the same. */
  readonly quiet?: boolean;
}

/**
 * Records every request: one line of the log, its metrics, and its span. Nothing that could
 * hold a secret is looked at: no path as sent, no query, no header field but `traceparent`, no body.
 */
export class RequestTelemetry {
  constructor(private readonly parts: RequestTelemetryOptions) {}

  /** Called for each request before everything else. */
  begin(): void {
    this.parts.metrics.begun();
  }

  /** Called once for each request that has begun, when its response is out or its client has gone. */
  end(request: IncomingMessage, response: ServerResponse, attributes: RequestAttributes): void {
    const { log, metrics, tracing } = this.parts;
    const { operation, requestId, keyId, code, startedAt, isResponded = false, quiet = false } = attributes;
    const durationMs = performance.now() - startedAt;
    const status = response.writableFinished || isResponded ? response.statusCode : undefined;
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
