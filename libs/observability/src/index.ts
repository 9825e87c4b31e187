export { ManagementServer } from './management/management-server.js';
export type { ReadinessReport } from './management/readiness-report.js';
export { ConnectionMetrics } from './metrics/connection-metrics.js';
export { watchProcess } from './metrics/process-metrics.js';
export { RequestMetrics } from './metrics/request-metrics.js';
export { type LogSettings, RequestLog } from './requests/request-log.js';
export { RequestTelemetry } from './requests/request-telemetry.js';
export { Telemetry } from './telemetry.js';
export { startTracing } from './tracing/start-tracing.js';
export { parseTraceparent } from './tracing/trace-context.js';
export type { Tracing } from './tracing/tracing.js';
// For metrics that features bring themselves, and to add up those of several processes.
export { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
