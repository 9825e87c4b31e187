import { Registry } from 'prom-client';
import { ConnectionMetrics, RequestMetrics } from './http-metrics.js';
import { startTracing, type Tracing, type TracingSettings } from './tracing.js';

export interface TelemetryOptions {
  /** Where spans are exported to; without it OpenTelemetry is not even loaded. */
  readonly tracing?: TracingSettings | undefined;
}

/** The metrics registry, the metrics that every HTTP service has, and the export of spans. */
export class Telemetry {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);
  readonly connections = new ConnectionMetrics(this.registry);

  /** @param tracing closed by {@link close}; `undefined` records no spans */
  constructor(readonly tracing?: Tracing) {}

  static async start({ tracing }: TelemetryOptions): Promise<Telemetry> {
    return new Telemetry(tracing === undefined ? undefined : await startTracing(tracing));
  }

  /** Exports the spans that are still buffered. Never rejects. */
  async close(): Promise<void> {
    await this.tracing?.close();
  }

  /** Nest calls this after the last response has been sent. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
