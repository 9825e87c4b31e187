import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import { requestIdOf, type RequestObserver } from '@petstore/http-server';
import { noteErrorCode, RequestLog, RequestTelemetry, Telemetry } from '@petstore/observability';
import { isOfDocs } from '../docs/docs-files.js';
import { HEALTH_PATHS } from '../health/health.controller.js';
import { type Log, LOG, settingsOf } from '../logging/log.js';
import { OperationRegistry } from '../operations/operation-registry.js';

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

/** Records every request of the listener: one line of the log, its metrics, and its span. */
@Injectable()
export class RequestRecorder implements RequestObserver {
  private readonly requests: RequestTelemetry;

  constructor(
    private readonly operations: OperationRegistry,
    @Inject(LOG) log: Log,
    private readonly telemetry: Telemetry,
  ) {
    this.requests = new RequestTelemetry({
      describe: (request) => {
        const operation = this.nameOf(request);
        return {
          operation,
          requestId: requestIdOf(request),
          keyId: callerOf(request)?.keyId,
          // Probes come every second, and from anybody; readiness is logged when it changes.
          quiet: operation === 'health',
        };
      },
      log: new RequestLog(log, settingsOf(log)),
      metrics: telemetry.requests,
      tracing: telemetry.tracing,
    });
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.requests.begin(request, response);
  }

  failed(request: IncomingMessage, code: string): void {
    noteErrorCode(request, code);
  }

  refusedByParser(): void {
    this.telemetry.requests.refusedByParser();
  }

  /**
   * What a request is called in the log, in metrics and in traces: the id of its operation once the router has found it,
   * else one of a few words.
   */
  private nameOf({ route, method, url = '' }: RoutedRequest): string {
    if (route?.path === undefined) return isOfDocs(url) ? 'docs' : 'unmatched';
    if (HEALTH_PATHS.has(route.path)) return 'health';
    const operation = this.operations.ofRoute(method, route.path);
    return operation?.id ?? (method === 'OPTIONS' ? 'options' : 'unmatched');
  }
}
