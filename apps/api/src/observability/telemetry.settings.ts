import { z } from 'zod';
import { choice, defineSettings, settings, type SettingsOf, url } from '../settings/settings.js';

/** In characters. */
const MAX_NAME = 255;

/** Log and traces. */
export const TELEMETRY_SETTINGS = defineSettings('telemetry', {
  logLevel: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .prefault('info')
    .register(settings, {
      variable: 'LOG_LEVEL',
      meaning: 'Least important lines that are logged.',
    }),
  traceEndpoint: url('http:', 'https:').optional().register(settings, {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'OTLP/HTTP receiver that spans are sent to, at /v1/traces below it; the other standard OTEL_ variables for sampling, batching and headers then hold too. No spans without it.',
    allowed: 'an http or https URL, such as http://collector:4318',
  }),
  serviceName: z
    .string()
    .min(1)
    .max(MAX_NAME)
    .prefault('petstore')
    .register(settings, {
      variable: 'OTEL_SERVICE_NAME',
      meaning: 'What the service is called in traces.',
      allowed: `1 to ${MAX_NAME} characters`,
    }),
});

export type TelemetrySettings = SettingsOf<typeof TELEMETRY_SETTINGS>;
