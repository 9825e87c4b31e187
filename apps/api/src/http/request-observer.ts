import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import type { RequestContext, RequestObserver } from '@petstore/http-server';
import { RequestLog, RequestTelemetry, Telemetry } from '@petstore/observability';
import { isOfDocs } from '../docs/docs-content.js';
import { type Log, LOG, settingsOf } from '../logging/log.js';
import { HEALTH_PATHS, MCP_PATH } from '../operations/paths.js';
import { OperationRegistry } from '../operations/operation-registry.js';

/** What API keys begin with: a key that was sent in the wrong field is to stand in no log. */
const LIKE_A_KEY = /pet_(?:pub|live|test)_/i;

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

/** Records every request: a log line, metrics, a span. */
@Injectable()
export class TelemetryRequestObserver implements RequestObserver {
  private readonly records: RequestTelemetry;

  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly telemetry: Telemetry,
    private readonly operations: OperationRegistry,
  ) {
    this.records = new RequestTelemetry({
      log: new RequestLog(log, settingsOf(log)),
      metrics: telemetry.requests,
      tracing: telemetry.tracing,
    });
  }

  readonly mayLog = (text: string): boolean => !LIKE_A_KEY.test(text);

  begin(): void {
    this.records.begin();
  }

  end(
    request: IncomingMessage,
    response: ServerResponse,
    { id, errorCode, startedAt, isResponded, operation = this.nameOf(request) }: RequestContext,
  ): void {
    this.records.end(request, response, {
      operation,
      requestId: id,
      keyId: callerOf(request)?.keyId,
      code: errorCode,
      startedAt,
      isResponded,
      // Anyone may probe, every second; readiness is logged when it changes.
      quiet: operation === 'health',
    });
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
  private nameOf({ route, method, url = '' }: RoutedRequest): string {
    const unrouted = method === 'OPTIONS' ? 'options' : 'unmatched';
    if (route?.path === undefined) return isOfDocs(url) ? 'docs' : unrouted;
    if (HEALTH_PATHS.has(route.path)) return 'health';
    if (route.path === MCP_PATH && method === 'POST') return 'mcp';
    const operation = this.operations.ofRoute(method, route.path);
    return operation?.id ?? unrouted;
  }
}
