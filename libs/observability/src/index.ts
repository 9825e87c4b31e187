export { ConnectionMetrics } from './metrics/connection-metrics.js';
export { KeyEventMetrics } from './key-event-metrics.js';
export { type KeyFilterReadings, watchKeyFilter } from './key-filter-metrics.js';
export { LimiterMetrics, type LimiterOutcome } from './limiter-metrics.js';
export { MergedMetrics, type MetricsSnapshot } from './metrics/merged-metrics.js';
export {
  OperationsServer,
  type OperationsServerParts,
  type ReadinessReport,
} from './management/management-server.js';
export { type ProcessReadings, watchProcess } from './metrics/process-metrics.js';
export { ABORTED, RequestMetrics } from './metrics/request-metrics.js';
export { type DescribeRequest, noteErrorCode, type RequestFacts } from './requests/request-attributes.js';
export { RequestWatch, type RequestWatchParts } from './requests/request-telemetry.js';
export { parseTraceparent, type TraceContext } from './tracing/trace-context.js';
export { startTracing } from './tracing/start-tracing.js';
export type { RequestSpan, Tracing, TracingSettings } from './tracing/tracing.js';
export { Registry } from 'prom-client';
