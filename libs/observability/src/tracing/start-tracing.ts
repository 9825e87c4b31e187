import type { Tracing, TracingSettings } from './tracing.js';

/** Loads OpenTelemetry, which a service without tracing never does, and starts to export. */
export async function startTracing(settings: TracingSettings): Promise<Tracing> {
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  return new OpenTelemetryTracing(settings);
}
