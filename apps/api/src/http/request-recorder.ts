import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import { requestIdOf, type RequestObserver } from '@petstore/http-server';
import { noteErrorCode, RequestTelemetry, Telemetry } from '@petstore/observability';
import { isOfDocs } from '../docs/docs-files.js';
import type { Log } from '../logging/log.js';
import { LOG } from '../logging/logging.module.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { DOCS, HEALTH, UNMATCHED } from '../operations/route-names.js';

/** Records every request of the listener: one line of the log, its metrics, and its span. */
@Injectable()
export class RequestRecorder implements RequestObserver {
  private readonly requests: RequestTelemetry;

  constructor(
    operations: OperationRegistry,
    @Inject(LOG) log: Log,
    private readonly telemetry: Telemetry,
  ) {
    this.requests = new RequestTelemetry({
      describe: (request) => {
        const operation = operations.nameOf(request) ?? (isOfDocs(request.url ?? '') ? DOCS : UNMATCHED);
        return {
          operation,
          requestId: requestIdOf(request),
          keyId: callerOf(request)?.keyId,
          // Probes come every second, and from anybody; readiness is logged when it changes.
          quiet: operation === HEALTH,
        };
      },
      log,
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
}
