import { z } from 'zod';
import { defineSettings, settings, type SettingsOf, url } from '../settings/settings.js';

/** Log and traces. */
export const TELEMETRY_SETTINGS = defineSettings('telemetry', {
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .prefault('info')
    .register(settings, {
      variable: 'LOG_LEVEL',
      meaning: 'Least important lines that are logged.',
      allowed: 'fatal, error, warn, info, debug, trace or silent',
    }),
  traceEndpoint: url('http:', 'https:').optional().register(settings, {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'OTLP/HTTP receiver that spans are sent to, at /v1/traces below it; the other standard OTEL_ variables for sampling, batching and headers then hold too. No spans without it.',
    allowed: 'an http or https URL, such as http://collector:4318',
  }),
  serviceName: z.string().min(1).max(255).prefault('petstore').register(settings, {
    variable: 'OTEL_SERVICE_NAME',
    meaning: 'What the service is called in traces.',
    allowed: '1 to 255 characters',
  }),
});

export type TelemetrySettings = SettingsOf<typeof TELEMETRY_SETTINGS>;
