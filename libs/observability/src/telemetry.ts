import { Registry } from 'prom-client';
import { RequestMetrics } from './request-metrics.js';
import { startTracing, type Tracing, type TracingSettings } from './tracing.js';

/** The metrics registry, the metrics of requests, and the export of spans. */
export class Telemetry {
  readonly registry = new Registry();
  readonly requests = new RequestMetrics(this.registry);

  /** @param tracing closed at the end; `undefined` records no spans */
  constructor(readonly tracing?: Tracing) {}

  /** @param tracing where spans are exported to; without it OpenTelemetry is not even loaded */
  static async start(tracing: TracingSettings | undefined): Promise<Telemetry> {
    return new Telemetry(tracing && (await startTracing(tracing)));
  }

  /** Exports the spans that are still buffered; Nest calls it after the last response has been sent. Never rejects. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracing?.close();
  }
}
