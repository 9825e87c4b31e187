export { LimiterMetrics, type LimiterOutcome } from './limiter-metrics.js';
export { OperationsServer, type OperationsServerParts, type ReadinessReport } from './operations-server.js';
export { type ProcessReadings, watchProcess } from './process-metrics.js';
export { ABORTED, RequestMetrics } from './request-metrics.js';
export { type DescribeRequest, noteErrorCode, type RequestFacts } from './request-record.js';
export { RequestWatch, type RequestWatchParts } from './request-watch.js';
export { parseTraceparent, type TraceContext } from './trace-context.js';
export { type RequestSpan, startTracing, type Tracing, type TracingSettings } from './tracing.js';
export { Registry } from 'prom-client';
