export { RequestMetrics } from './request-metrics.js';
export { ManagementServer, type ReadinessReport } from './management-server.js';
export { watchProcess } from './process-metrics.js';
export { RequestLog } from './request-log.js';
export { Telemetry } from './telemetry.js';
export { parseTraceparent } from './tracing.js';
// For metrics that features bring themselves.
export { Counter, Gauge, Registry } from 'prom-client';
