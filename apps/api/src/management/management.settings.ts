import { z } from 'zod';
import { hostName, settings, url, wholeNumber } from '../configuration/settings.js';

/** What operators see: management listener, log, traces. */
export const MANAGEMENT_SETTINGS = z.object({
  opsHost: hostName.prefault('127.0.0.1').register(settings, {
    variable: 'OPS_HOST',
    meaning: 'Address that the management listener binds to; the public should not reach it.',
  }),
  opsPort: wholeNumber(0, 65_535).optional().register(settings, {
    variable: 'OPS_PORT',
    meaning:
      'Port of the management listener with /metrics, /livez and /readyz; 0 takes a free one. No such listener without it.',
  }),
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
