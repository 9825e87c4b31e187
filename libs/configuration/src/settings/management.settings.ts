import { z } from 'zod';
import { defineSettings, optionalSetting, settingWithDefault } from '../setting.js';
import { url, wholeNumber } from '../value-types.js';

/** What operators see: management listener, log, traces. */
export const MANAGEMENT_SETTINGS = defineSettings({
  opsHost: settingWithDefault({
    variable: 'OPS_HOST',
    meaning: 'Address that the management listener binds to; the public should not reach it.',
    allowed: 'an IPv4 or IPv6 address, or a host name',
    fallback: '127.0.0.1',
    schema: z.string().regex(/^[\w.:-]+$/),
  }),
  opsPort: optionalSetting({
    variable: 'OPS_PORT',
    meaning:
      'Port of the management listener with /metrics, /livez and /readyz; 0 takes a free one. No such listener without it.',
    allowed: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  }),
  logLevel: settingWithDefault({
    variable: 'LOG_LEVEL',
    meaning: 'Least important lines that are logged.',
    allowed: 'fatal, error, warn, info, debug, trace or silent',
    fallback: 'info',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  }),
  traceEndpoint: optionalSetting({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'OTLP/HTTP receiver that spans are sent to, at /v1/traces below it; the other standard OTEL_ variables for sampling, batching and headers then hold too. No spans without it.',
    allowed: 'an http or https URL, such as http://collector:4318',
    schema: url('http:', 'https:'),
  }),
  serviceName: settingWithDefault({
    variable: 'OTEL_SERVICE_NAME',
    meaning: 'What the service is called in traces.',
    allowed: '1 to 255 characters',
    fallback: 'petstore',
    schema: z.string().min(1).max(255),
  }),
});
