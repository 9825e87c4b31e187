export { ConnectionMetrics, RequestMetrics } from './http-metrics.js';
export { ManagementServer, type ReadinessReport } from './management-server.js';
export { watchProcess } from './process-metrics.js';
export { type LogSettings, RequestLog } from './request-log.js';
export { RequestTelemetry } from './request-telemetry.js';
export { Telemetry } from './telemetry.js';
// For metrics that features bring themselves.
export { Counter, Gauge, Registry } from 'prom-client';
