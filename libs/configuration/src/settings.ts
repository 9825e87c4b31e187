import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { optionalSetting, settingWithDefault } from './setting.js';

const wholeNumber = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

const url = (...protocols: string[]): z.ZodType<string, string> =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), { abort: true });

/**
 * Whether every parser takes a URL apart at the same places. A password with a plain `@`, `/`, `?` or `#` makes a URL
 * of another host or none, whose name is then a part of the password and shown in messages.
 */
function isUnambiguous(text: string): boolean {
  const [, authority = '', rest = ''] = /^[^/]*\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (rest.includes('@') || authority.split('@').length > 2) return false;
  try {
    decodeURIComponent(authority);
    return true;
  } catch {
    return false;
  }
}

const list = <Value>(item: z.ZodType<Value, string>): z.ZodType<readonly Value[], string> =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));

const onOff: z.ZodType<boolean, string> = z.enum(['on', 'off']).transform((word) => word === 'on');

/** An address or a network in CIDR notation (RFC 4632, RFC 4291). */
const network = z.string().refine((text) => {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
});

/** An origin as browsers send it (RFC 6454, section 6.1): scheme, host and port, nothing else. */
const origin = url('http:', 'https:').refine((text) => new URL(text).origin === text);

const origins: z.ZodType<'*' | readonly string[], string> = z.union([z.literal('*'), list(origin)]);

/** Every setting of the service and its tools; the table in the docs is made from it. */
export const SETTINGS = {
  host: settingWithDefault({
    variable: 'HOST',
    meaning: 'Address that the public listener binds to.',
    allowed: 'an IPv4 or IPv6 address, or a host name',
    fallback: '127.0.0.1',
    schema: z.string().regex(/^[\w.:-]+$/),
  }),
  port: settingWithDefault({
    variable: 'PORT',
    meaning: 'Port of the public listener; 0 takes a free one.',
    allowed: 'a whole number from 0 to 65535',
    fallback: '3000',
    schema: wholeNumber(0, 65_535),
  }),
  processes: settingWithDefault({
    variable: 'WEB_CONCURRENCY',
    meaning:
      'Processes that serve on the one port, each with up to a core of its own; more than one need REDIS_URL.',
    allowed: 'a whole number from 1 to 64',
    fallback: '1',
    schema: wholeNumber(1, 64),
  }),
  opsHost: settingWithDefault({
    variable: 'OPS_HOST',
    meaning: 'Address that the operations listener binds to; the public should not reach it.',
    allowed: 'an IPv4 or IPv6 address, or a host name',
    fallback: '127.0.0.1',
    schema: z.string().regex(/^[\w.:-]+$/),
  }),
  opsPort: optionalSetting({
    variable: 'OPS_PORT',
    meaning:
      'Port of the operations listener with /metrics, /livez and /readyz; 0 takes a free one. No such listener without it.',
    allowed: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  }),
  databaseUrl: optionalSetting({
    variable: 'DATABASE_URL',
    meaning:
      'PostgreSQL 14 or later; without it the service runs its own in PETSTORE_DATA_DIR. A server must prove by SCRAM that it knows the password; the parameter require_auth, as in libpq, allows others.',
    allowed:
      'postgres://user:password@host:port/database, in which @ : / ? # % of the user and the password are percent-encoded',
    credentials: true,
    schema: url('postgres:', 'postgresql:').refine(isUnambiguous),
  }),
  redisUrls: optionalSetting({
    variable: 'REDIS_URL',
    meaning:
      'Redis, or the nodes of a Redis Cluster separated by commas; without it limits are kept in the process.',
    allowed: 'redis://host:port or rediss://host:port, several separated by commas',
    credentials: true,
    schema: list(url('redis:', 'rediss:')),
  }),
  dataDir: settingWithDefault({
    variable: 'PETSTORE_DATA_DIR',
    meaning: 'Folder of the embedded database and its secrets; a relative one counts from the project.',
    allowed: 'a path',
    fallback: '.data',
    schema: z.string().refine((text) => !text.includes('\0')),
  }),
  apiKeyPepper: optionalSetting({
    variable: 'API_KEY_PEPPER',
    meaning:
      'Secret that the hashes of API keys are made with; required with DATABASE_URL, otherwise made once and kept in the data folder.',
    allowed: 'at least 16 characters',
    secret: true,
    schema: z.string().min(16),
  }),
  environment: settingWithDefault({
    variable: 'PETSTORE_ENVIRONMENT',
    meaning: 'Where this is: generated API keys begin with pet_live_ in production, pet_test_ elsewhere.',
    allowed: 'production, staging or development',
    fallback: 'development',
    schema: z.enum(['production', 'staging', 'development']),
  }),
  previousApiKeyPeppers: optionalSetting({
    variable: 'API_KEY_PREVIOUS_PEPPERS',
    meaning:
      'Earlier peppers, separated by commas: keys hashed with them are accepted and hashed anew when used.',
    allowed: 'secrets of at least 16 characters, separated by commas',
    secret: true,
    schema: list(z.string().min(16)),
  }),
  publicBaseUrl: optionalSetting({
    variable: 'PUBLIC_BASE_URL',
    meaning:
      'Where clients reach this service; makes Link and Location absolute and stands in the OpenAPI document. Path references without it.',
    allowed: 'an http or https URL that ends in /v1',
    schema: url('http:', 'https:').refine((text) => new URL(text).href.endsWith('/v1')),
  }),
  trustedProxies: optionalSetting({
    variable: 'TRUSTED_PROXIES',
    meaning: 'Proxies whose X-Forwarded-For counts, as addresses or networks; none by default.',
    allowed: 'addresses or CIDR networks separated by commas, such as 10.0.0.0/8,::1',
    schema: list(network),
  }),
  corsOrigins: optionalSetting({
    variable: 'CORS_ORIGINS',
    meaning: 'Origins whose pages may call the API from a browser; * for all. No CORS without it.',
    allowed: '* or origins separated by commas, such as https://shop.example.com,http://localhost:8080',
    schema: origins,
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
  getPetDeprecatedSince: settingWithDefault({
    variable: 'GET_PET_DEPRECATED_SINCE',
    meaning: 'When GET /v1/pets/{petId} became deprecated; stands in its Deprecation header.',
    allowed: 'a date or a time of ISO 8601 with its offset, such as 2025-12-05T00:00:00Z',
    fallback: '2025-12-05T00:00:00Z',
    schema: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => new Date(text)),
  }),
  getPetAfterSunset: settingWithDefault({
    variable: 'GET_PET_AFTER_SUNSET',
    meaning: 'Whether GET /v1/pets/{petId} goes on after 5 December 2030 (serve) or answers 410 (remove).',
    allowed: 'serve or remove',
    fallback: 'serve',
    schema: z.enum(['serve', 'remove']),
  }),
  anonymousPerMinute: settingWithDefault({
    variable: 'ANONYMOUS_PER_MINUTE',
    meaning: 'Requests without an accepted key that one client address may send in 60 seconds.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '300',
    schema: wholeNumber(1, 1_000_000),
  }),
  anonymousPerDay: settingWithDefault({
    variable: 'ANONYMOUS_PER_DAY',
    meaning: 'Requests without an accepted key that one client address may send in 24 hours.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '10000',
    schema: wholeNumber(1, 1_000_000),
  }),
  docsPerMinute: settingWithDefault({
    variable: 'DOCS_PER_MINUTE',
    meaning:
      'Requests outside of /v1, other than for health, that one client address may send in 60 seconds.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '300',
    schema: wholeNumber(1, 1_000_000),
  }),
  docsPerDay: settingWithDefault({
    variable: 'DOCS_PER_DAY',
    meaning: 'Requests outside of /v1, other than for health, that one client address may send in 24 hours.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '10000',
    schema: wholeNumber(1, 1_000_000),
  }),
  maxConcurrentRequests: settingWithDefault({
    variable: 'MAX_CONCURRENT_REQUESTS',
    meaning:
      'Requests that one process works on at a time, a quarter of them for one key or client address; what is beyond is answered 503 early.',
    allowed: 'a whole number from 1 to 100000',
    fallback: '2048',
    schema: wholeNumber(1, 100_000),
  }),
  maxConnections: settingWithDefault({
    variable: 'MAX_CONNECTIONS',
    meaning:
      'Connections to the public listener that one process keeps; for one more, the longest idle one is closed.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '10000',
    schema: wholeNumber(1, 1_000_000),
  }),
  maxConnectionsPerAddress: settingWithDefault({
    variable: 'MAX_CONNECTIONS_PER_ADDRESS',
    meaning:
      'Of these, connections of one client address, all addresses of an IPv6 /64 as one; trusted proxies may have more.',
    allowed: 'a whole number from 1 to 1000000',
    fallback: '2500',
    schema: wholeNumber(1, 1_000_000),
  }),
  bans: settingWithDefault({
    variable: 'BANS',
    meaning: 'Whether a key that goes on after being refused is banned for a while.',
    allowed: 'on or off',
    fallback: 'on',
    schema: onOff,
  }),
} as const;
