import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { RequestSpan, TraceContext, Tracing, TracingSettings } from './tracing.js';

/** Longest that a collector may take for one batch, in milliseconds; also what a stop waits for. */
const EXPORT_TIMEOUT_MS = 2_000;

/**
 * One server span for every request, named and attributed after OpenTelemetry's conventions for HTTP. The
 * standard variables for sampling and batching (`OTEL_TRACES_SAMPLER`, `OTEL_BSP_...`) hold as everywhere.
 */
export class OpenTelemetryTracing implements Tracing {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor({ endpoint, serviceName, version }: TracingSettings) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_TIMEOUT_MS,
    });
    this.provider = new BasicTracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
      ),
      spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
    });
    this.tracer = this.provider.getTracer('petstore', version);
  }

  record({ request, operation, requestId, startedAt, durationMs, status, parent }: RequestSpan): string {
    const span = this.tracer.startSpan(
      operation,
      {
        kind: SpanKind.SERVER,
        startTime: startedAt,
        attributes: {
          'http.request.method': request.method ?? '',
          'petstore.operation': operation,
          ...(requestId === undefined ? {} : { 'petstore.request_id': requestId }),
          ...(status === undefined ? {} : { 'http.response.status_code': status }),
        },
      },
      parent === undefined ? ROOT_CONTEXT : contextOf(parent),
    );
    if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(startedAt + durationMs);
    return span.spanContext().traceId;
  }

  async close(): Promise<void> {
    await this.provider.shutdown().catch(() => undefined);
  }
}

function contextOf({ traceId, parentId, sampled }: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}
