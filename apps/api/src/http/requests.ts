import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiKeyCache, callerOf } from '@petstore/api-key';
import type { RequestPolicy, RequestRecord } from '@petstore/http-server';
import { RequestLog, RequestTelemetry, Telemetry } from '@petstore/observability';
import { HttpRateLimiter } from '@petstore/rate-limit';
import { RateLimitSubjects } from '../access/rate-limit-subjects.js';
import { isOfDocs } from '../docs/docs-files.js';
import { type Log, LOG, settingsOf } from '../logging/log.js';
import { VARY } from '../operations/cross-origin.js';
import { Deprecations } from '../operations/deprecations.js';
import { OperationRegistry } from '../operations/register-operations.js';
import { API_BASE_PATH, HEALTH_PATHS } from '../operations/paths.js';
import { HTTP_SETTINGS, type HttpSettings } from './http.settings.js';

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

/**
 * The app's part in every request. Each is recorded: a log line, metrics, a span. Everything under `/v1` takes part in load
 * shedding; a refusal carries the header fields of any response there.
 */
@Injectable()
export class Requests implements RequestPolicy {
  readonly maxConcurrentRequests: number;
  private readonly records: RequestTelemetry;

  constructor(
    @Inject(HTTP_SETTINGS.KEY) { maxConcurrentRequests }: HttpSettings,
    @Inject(LOG) log: Log,
    private readonly telemetry: Telemetry,
    private readonly operations: OperationRegistry,
    private readonly deprecations: Deprecations,
    private readonly keys: ApiKeyCache,
    private readonly subjects: RateLimitSubjects,
    private readonly limiter: HttpRateLimiter,
  ) {
    this.maxConcurrentRequests = maxConcurrentRequests;
    this.records = new RequestTelemetry({
      log: new RequestLog(log, settingsOf(log)),
      metrics: telemetry.requests,
      tracing: telemetry.tracing,
    });
  }

  begin({ url }: IncomingMessage, response: ServerResponse): void {
    this.records.begin();
    if (url?.startsWith(API_BASE_PATH) === true) response.setHeader('Vary', VARY);
  }

  needsSlot({ url }: IncomingMessage): boolean {
    return url?.startsWith(API_BASE_PATH) === true;
  }

  networkOf(request: IncomingMessage): string {
    return this.subjects.networkOf(request);
  }

  keyOf(request: IncomingMessage): string | undefined {
    return callerOf(request)?.keyId;
  }

  describeRefusal(request: IncomingMessage, response: ServerResponse): void {
    this.deprecations.announceUnrouted(request, response);
    this.limiter.peek(response, this.subjects.ofCaller(request, this.keys.callerOf(request)));
  }

  end(request: IncomingMessage, response: ServerResponse, { id, errorCode, startedAt }: RequestRecord): void {
    const operation = this.nameOf(request);
    this.records.end(request, response, {
      operation,
      requestId: id,
      keyId: callerOf(request)?.keyId,
      code: errorCode,
      startedAt,
      // Anyone may probe, every second; readiness is logged when it changes.
      quiet: operation === 'health',
    });
  }

  refusedByParser(): void {
    this.telemetry.requests.refusedByParser();
  }

  /**
   * The name of a request in the log, in metrics and in traces: the id of its operation if the router has found one, else
   * one of a few words.
   */
  private nameOf({ route, method, url = '' }: RoutedRequest): string {
    if (route?.path === undefined) return isOfDocs(url) ? 'docs' : 'unmatched';
    if (HEALTH_PATHS.has(route.path)) return 'health';
    const operation = this.operations.ofRoute(method, route.path);
    return operation?.id ?? (method === 'OPTIONS' ? 'options' : 'unmatched');
  }
}
