import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import type { RequestContext, RequestObserver } from '@petstore/http-server';
import { parseTraceparent, RequestLog, Telemetry } from '@petstore/observability';
import { destinationOf, type Log, LOG } from '../logging/log.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { doorOf } from '../paths.js';

/** What API keys begin with: a key that was sent in the wrong field is to stand in no log. */
const LIKE_A_KEY = /pet_(?:pub|live|test)_/i;

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
  readonly originalUrl?: string;
}

/**
 * Records every request: a log line, metrics, a span. Nothing that could hold a secret is looked at: no path as sent, no query,
 * no header field but `traceparent`, no body.
 */
@Injectable()
export class TelemetryRequestObserver implements RequestObserver {
  private readonly lines: RequestLog;

  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly telemetry: Telemetry,
    private readonly operations: OperationRegistry,
  ) {
    this.lines = new RequestLog(log, destinationOf(log));
  }

  readonly mayLog = (text: string): boolean => !LIKE_A_KEY.test(text);

  begin(): void {
    this.telemetry.requests.begun();
  }

  end(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
    const { requests, tracing } = this.telemetry;
    const { id: requestId, errorCode: code, operation = this.nameOf(request) } = context;
    const durationMs = performance.now() - context.startedAt;
    const status = response.writableFinished || context.isResponded ? response.statusCode : undefined;
    requests.ended(operation, status, durationMs / 1_000, code);
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
    const traceId =
      tracing === undefined
        ? parent?.traceId
        : tracing.record({
            ...{ request, operation, requestId, durationMs, status, parent },
            startedAt: Date.now() - durationMs,
          });
    const line = {
      requestId,
      traceId,
      keyId: callerOf(request)?.keyId,
      operation,
      method: request.method,
      status,
      code,
      ms: Math.round(durationMs * 1_000) / 1_000,
      bytes: bodyBytes(request, response),
    };
    // Anyone may probe, every second; readiness is logged when it changes.
    const level = operation === 'health' ? 'debug' : 'info';
    this.lines.write(level, line, status === undefined ? 'client disconnected' : 'request');
  }

  failed(fields: object): void {
    this.log.error(fields, 'request failed');
  }

  refusedByParser(refusal: object): void {
    this.telemetry.requests.refusedByParser();
    this.log.info(refusal, 'request refused by the parser');
  }

  /**
   * The name of a request in the log, in metrics and in traces: the id of its operation if the router has found one, else
   * one of a few words.
   */
  private nameOf({ route, method, originalUrl = '' }: RoutedRequest): string {
    const operation = this.operations.ofRoute(method, route?.path);
    if (operation !== undefined) return operation.id;
    const door = doorOf(originalUrl);
    if (door === 'health' || door === 'docs') return door;
    if (door === 'mcp' && method === 'POST') return door;
    return method === 'OPTIONS' ? 'options' : 'unmatched';
  }
}

/** Length of the response's body; `undefined` where it is not known beforehand. */
function bodyBytes(request: IncomingMessage, response: ServerResponse): number | undefined {
  if (request.method === 'HEAD') return 0;
  const length = response.getHeader('Content-Length');
  return length === undefined ? undefined : Number(length);
}
