import type { AddressInfo } from 'node:net';
import {
  ApiKeyAdministration,
  ApiKeyFilter,
  ApiKeyCache,
  KeyUsageRecorder,
  readOrCreatePepper,
  RedisApiKeyEventBus,
  SecretHasher,
  subjectIdOf,
} from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import { ConnectionTable, GracefulShutdown } from '@petstore/http-server';
import { ManagementServer, Telemetry, watchProcess } from '@petstore/observability';
import type { Database } from '@petstore/persistence';
import { createRateLimiter } from '@petstore/rate-limit';
import { createRedisClient } from '@petstore/redis';
import { PETSTORE_SCOPES } from '@petstore/scopes';
import { KeyEventMetrics } from './access/key-event-metrics.js';
import { KeyEventWatch } from './access/key-event-watch.js';
import { watchKeyFilter } from './access/key-filter-metrics.js';
import { LimiterMetrics } from './access/limiter-metrics.js';
import { RateLimitTelemetry } from './access/rate-limit-telemetry.js';
import { createApp } from './create-app.js';
import { startDatabaseServer } from './startup/database-server.js';
import { seedDemoData } from './startup/seed-demo-data.js';
import { Readiness } from './health/readiness.js';
import type { ApiParts } from './api.module.js';
import { droppedLogLines, type Log } from './logging/log.js';
import type { ManagementView, Service, ServiceOverrides } from './startup/service.interface.js';
import { openStorage } from './startup/storage.js';
import { VERSION } from './startup/version.js';

/** Milliseconds between two removals of what is not needed any more. */
const FORGET_EVERY = 10 * 60 * 1000;

/** How a part of the service is let go; the last one started goes first. */
type Closer = () => Promise<unknown>;

/**
 * Starts everything the service consists of; what was started is closed again when a later part fails.
 */
export async function startService(
  configuration: Configuration,
  log: Log,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    return await start(configuration, log, overrides, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  configuration: Configuration,
  log: Log,
  overrides: ServiceOverrides,
  closers: Closer[],
  close: () => Promise<void>,
): Promise<Service> {
  const { redisUrls, dataDir, host, port } = configuration;
  const { now = Date.now, server = await startDatabaseServer(configuration, log) } = overrides;
  closers.push(() => server.stop());
  const { traceEndpoint: endpoint, serviceName } = configuration;
  const telemetry = await Telemetry.start({
    tracing: endpoint === undefined ? undefined : { endpoint, serviceName, version: VERSION },
  });
  closers.push(() => telemetry.close());
  const limiterMetrics = new LimiterMetrics(telemetry.registry);
  const keyEvents = new KeyEventMetrics(telemetry.registry);
  const database = await openStorage(server, log);
  closers.push(() => database.close());
  closers.push(forgetRegularly(database, log));

  const pepper = configuration.apiKeyPepper ?? (await readOrCreatePepper(dataDir));
  const hasher = new SecretHasher(pepper, configuration.previousApiKeyPeppers);
  const filter = createKeyFilter(database, log);
  closers.push(() => filter.close());
  watchKeyFilter(telemetry.registry, () => filter.stats);
  await filter.start();
  const keys = new ApiKeyCache(database.keyLookup, hasher, filter);
  const usage = new KeyUsageRecorder(database.keyUsage, {
    onFailure: (error) => {
      log.warn({ err: error }, 'the use of keys could not be written down; it is tried again');
    },
  });
  closers.push(() => usage.close());

  const limits = createRateLimiter({
    // Says where Redis is; the limiter connects by itself.
    redis: redisUrls && createRedisClient(redisUrls, { lazyConnect: true }),
    bans: configuration.bans ? undefined : 'off',
    observer: new RateLimitTelemetry(log, usage, limiterMetrics),
  });
  closers.push(() => limits.then((limiter) => limiter.close()));
  const events =
    redisUrls === undefined
      ? database.apiKeyEventBus()
      : new RedisApiKeyEventBus(redisUrls, new KeyEventWatch(log, keyEvents));
  closers.push(() => events.close());
  // Side by side: each waits for a second for a Redis that does not answer, and goes on without it.
  const subscription = events.subscribe((event) => {
    keys.invalidate(event);
    // Without Redis a ban lives in this process, where the operator's tool cannot reach it.
    if (event.kind === 'unbanned') void limits.then((limiter) => limiter.liftBan(subjectIdOf(event.keyId)));
  });
  const [limiter] = await Promise.all([limits, subscription]);

  const readiness: ApiParts['readiness'] = {
    missingMigrations: () => database.missingMigrations(),
    databaseAnswers: () => database.answers(),
    isLimiterDegraded: () => limiterMetrics.isDegraded,
    areKeyEventsMissing: () => keyEvents.areMissing,
    changed: ({ status, reasons }) => {
      log[status === 'ok' ? 'info' : 'warn']({ status, reasons }, 'readiness changed');
    },
  };
  const app = await createApp({
    configuration,
    log,
    pets: database.pets,
    keys,
    usage,
    limiter,
    readiness,
    telemetry,
    now,
  });
  const shutdown = app.get(GracefulShutdown);
  const connections = app.get(ConnectionTable);
  telemetry.connections.watch(() => connections.size);
  const view = { registry: telemetry.registry, readiness: app.get(Readiness).check };
  const management = await startManagement(configuration, overrides, view, database);
  if (management !== undefined) closers.push(() => management.close());
  closers.push(() => app.close());
  await app.listen(port, host);
  const address = app.getHttpServer().address() as AddressInfo;

  const administration = new ApiKeyAdministration({
    repository: database.apiKeys,
    hasher,
    scopes: PETSTORE_SCOPES,
    kind: configuration.environment === 'production' ? 'live' : 'test',
  });
  const { embedded } = server;
  const demoKey = embedded ? await seedDemoData(database.pets, database.apiKeys, administration) : undefined;
  return { origin: originOf(address), management: management?.origin, demoKey, embedded, close };
}

/** Opens the management listener where one is wanted; it goes on answering while the public one is stopping. */
async function startManagement(
  { opsHost: host, opsPort: port }: Configuration,
  { management }: ServiceOverrides,
  view: ManagementView,
  database: Database,
): Promise<ManagementServer | undefined> {
  if (port === undefined) return undefined;
  const { registry, readiness } = view;
  watchProcess(registry, {
    version: VERSION,
    pool: () => database.poolStats(),
    droppedLogLines,
    isReady: async () => (await readiness()).status !== 'unavailable',
  });
  if (management === undefined) {
    return ManagementServer.start({ listen: { host, port }, readiness, metrics: () => registry.metrics() });
  }
  management(view);
  return undefined;
}

function createKeyFilter(database: Database, log: Log): ApiKeyFilter {
  return new ApiKeyFilter(database.keyHashes, {
    onFailure: (error) => {
      log.warn(
        { err: error },
        'key filter not refreshed, retrying: keys that it does not know are answered 503',
      );
    },
    onRecovery: () => {
      log.info('key filter refreshed again');
    },
  });
}

/** Removes old requests and old use of keys now and then; however many instances do so, each is removed once. */
function forgetRegularly(database: Database, log: Log): Closer {
  const timer = setInterval(() => {
    database.removeOldRows().catch((error: unknown) => {
      log.warn({ err: error }, 'old requests and use of keys could not be removed; it is tried again');
    });
  }, FORGET_EVERY);
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}

function originOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
