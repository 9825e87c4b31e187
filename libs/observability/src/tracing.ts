import type { IncomingMessage } from 'node:http';

/** Context of a request in a distributed trace (W3C Trace Context, section 3.2). */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** Span of the caller: 16 lower-case hexadecimal digits, not all zero. */
  readonly parentId: string;
  /** Whether the caller records its part of the trace. */
  readonly sampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;
const SAMPLED = 0x01;

/**
 * Reads a `traceparent` header field; `undefined` for one that the recommendation tells to ignore. Versions
 * to come may append to the form of version 00, which itself may not.
 */
export function parseTraceparent(header: string): TraceContext | undefined {
  const [, version = '', traceId = '', parentId = '', flags = '', more] = FORM.exec(header) ?? [];
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (NOTHING.test(traceId) || NOTHING.test(parentId)) return undefined;
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** One request with its response, for a trace. */
export interface RequestSpan {
  readonly request: IncomingMessage;
  readonly operation: string;
  readonly requestId: string | undefined;
  /** Unix time of the start, in milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** `undefined` when the client disconnected. */
  readonly status: number | undefined;
  readonly parent: TraceContext | undefined;
}

/** Sends spans of requests to a collector. */
export interface Tracing {
  /** Records a span and returns its trace id. Sending happens later, in batches. */
  record(span: RequestSpan): string;
  /** Sends what is left. Never rejects: an unavailable collector delays no shutdown for long. */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** Base address of an OTLP/HTTP receiver; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly version: string;
}

/** Loads OpenTelemetry, which a service without tracing never does, and starts to export. */
export async function startTracing(settings: TracingSettings): Promise<Tracing> {
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  return new OpenTelemetryTracing(settings);
}
