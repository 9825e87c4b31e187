import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@petstore/api-key';
import { type ErrorCode, requestIdOf } from '@petstore/http-kernel';
import type { RequestObserver } from '@petstore/http-server';
import { noteErrorCode, RequestWatch } from '@petstore/observability';
import type { Log } from '../log.js';
import type { Instruments } from './instruments.js';
import { HEALTH, type OperationNames } from './operation-names.js';

/** Records every request of the listener: one line of the log, its metrics, and its span. */
export class RequestRecorder implements RequestObserver {
  private readonly watch: RequestWatch;

  constructor(
    names: OperationNames,
    log: Log,
    private readonly instruments: Instruments,
  ) {
    this.watch = new RequestWatch({
      describe: (request) => {
        const operation = names.of(request);
        return {
          operation,
          requestId: requestIdOf(request),
          keyId: callerOf(request)?.keyId,
          // Probes ask every second, and anybody may; readiness is logged when it changes.
          quiet: operation === HEALTH,
        };
      },
      log,
      metrics: instruments.requests,
      tracing: instruments.tracing,
    });
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.watch.begin(request, response);
  }

  failed(request: IncomingMessage, code: ErrorCode): void {
    noteErrorCode(request, code);
  }

  refusedByParser(): void {
    this.instruments.requests.refusedByParser();
  }
}
