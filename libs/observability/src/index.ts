export { ManagementServer, type ManagementServerOptions } from './management/management-server.js';
export type { ReadinessReport } from './management/readiness-report.js';
export { ConnectionMetrics } from './metrics/connection-metrics.js';
export { type ProcessReadings, watchProcess } from './metrics/process-metrics.js';
export { ABORTED, RequestMetrics } from './metrics/request-metrics.js';
export {
  type DescribeRequest,
  noteErrorCode,
  type RequestAttributes,
} from './requests/request-attributes.js';
export { RequestTelemetry, type RequestTelemetryOptions } from './requests/request-telemetry.js';
export { Telemetry, type TelemetryOptions } from './telemetry.js';
export { startTracing } from './tracing/start-tracing.js';
export { parseTraceparent, type TraceContext } from './tracing/trace-context.js';
export type { RequestSpan, Tracing, TracingSettings } from './tracing/tracing.js';
// For metrics that features bring themselves, and to add up those of several processes.
export { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
