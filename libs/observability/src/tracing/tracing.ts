import type { IncomingMessage } from 'node:http';
import type { TraceContext } from './trace-context.js';

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
  /** Takes one down, and gives its trace id. Sending happens later, in batches. */
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
