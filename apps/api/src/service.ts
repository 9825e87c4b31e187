import type { AddressInfo } from 'node:net';
import {
  ApiKeyAdministration,
  ApiKeyFilter,
  ApiKeyCache,
  KeyUsageRecorder,
  readOrCreatePepper,
  RedisApiKeyEventBus,
  SecretHasher,
} from '@petstore/api-key';
import type { Configuration } from '@petstore/configuration';
import { ConnectionTable, GracefulShutdown } from '@petstore/http-server';
import {
  OperationsServer,
  type ReadinessReport,
  type Registry,
  watchKeyFilter,
  watchProcess,
} from '@petstore/observability';
import type { Database } from '@petstore/persistence';
import { createRateLimiter } from '@petstore/rate-limit';
import { KeyEventWatch } from './access/key-event-watch.js';
import { RateLimitTelemetry } from './access/rate-limit-telemetry.js';
import { subjectIdOf } from './access/subjects.js';
import { createApp } from './create-app.js';
import { type DatabaseServer, startDatabaseServer } from './database-server.js';
import { furnish } from './demo.js';
import { Readiness } from './health/readiness.js';
import { droppedLogLines, type Log } from './log.js';
import { Instruments, VERSION } from './observability/instruments.js';
import { openStorage } from './storage.js';

/** A service that is running. */
export interface Service {
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Where the operations listener is; `undefined` without one. */
  readonly operations: string | undefined;
  /** The demo key, if it was made just now; `undefined` ever after. */
  readonly demoKey: string | undefined;
  /** Whether it runs its own database. */
  readonly embedded: boolean;
  /** Lets running requests end, writes down what is left to write, and closes everything. */
  close(): Promise<void>;
}

/** What operations want to see of a service. */
export interface OperationsView {
  readonly registry: Registry;
  readonly readiness: () => Promise<ReadinessReport>;
}

/** Where a service runs, as far as it does not see to that itself. */
export interface Surroundings {
  /** Milliseconds since 1970; the system's clock unless said. */
  readonly now?: (() => number) | undefined;
  /** The database server, which the service then stops; what the configuration says unless given. */
  readonly server?: DatabaseServer;
  /** Takes what operations may see, in place of an operations listener of the service's own. */
  readonly operations?: (view: OperationsView) => void;
}

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
  surroundings: Surroundings = {},
): Promise<Service> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    return await start(configuration, log, surroundings, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  configuration: Configuration,
  log: Log,
  surroundings: Surroundings,
  closers: Closer[],
  close: () => Promise<void>,
): Promise<Service> {
  const { redisUrl, dataDir, host, port } = configuration;
  const { now = Date.now, server = await startDatabaseServer(configuration, log) } = surroundings;
  closers.push(() => server.stop());
  const instruments = await Instruments.start(configuration);
  closers.push(() => instruments.close());
  const database = await openStorage(server, log);
  closers.push(() => database.close());
  closers.push(forgetRegularly(database, log));

  const pepper = configuration.apiKeyPepper ?? (await readOrCreatePepper(dataDir));
  const hasher = new SecretHasher(pepper, configuration.previousApiKeyPeppers);
  const filter = createKeyFilter(database, log);
  closers.push(() => filter.close());
  watchKeyFilter(instruments.registry, () => filter.stats);
  await filter.start();
  const keys = new ApiKeyCache(database.keyLookup, hasher, filter);
  const usage = new KeyUsageRecorder(database.keyUsage, {
    onFailure: (error) => {
      log.warn({ err: error }, 'the use of keys could not be written down; it is tried again');
    },
  });
  closers.push(() => usage.close());

  const limits = createRateLimiter({
    redisUrl,
    bans: configuration.bans ? undefined : 'off',
    observer: new RateLimitTelemetry(log, usage, instruments.limiter),
  });
  closers.push(() => limits.then((limiter) => limiter.close()));
  const events =
    redisUrl === undefined
      ? database.apiKeyEventBus()
      : new RedisApiKeyEventBus(redisUrl, new KeyEventWatch(log, instruments.keyEvents));
  closers.push(() => events.close());
  // Side by side: each waits for a second for a Redis that does not answer, and goes on without it.
  const subscription = events.subscribe((event) => {
    keys.invalidate(event);
    // Without Redis a ban lives in this process, where the operator's tool cannot reach it.
    if (event.kind === 'unbanned') void limits.then((limiter) => limiter.liftBan(subjectIdOf(event.keyId)));
  });
  const [limiter] = await Promise.all([limits, subscription]);

  const readiness = new Readiness({
    missingMigrations: () => database.missingMigrations(),
    databaseAnswers: () => database.answers(),
    isLimiterDegraded: () => instruments.limiter.isDegraded,
    areKeyEventsMissing: () => instruments.keyEvents.areMissing,
    isStopping: () => shutdown.isStopping,
    changed: ({ status, reasons }) => {
      log[status === 'ok' ? 'info' : 'warn']({ status, reasons }, 'readiness changed');
    },
  });
  const app = await createApp({
    configuration,
    log,
    pets: database.pets,
    idempotencyStore: (locationOfPet) => database.idempotencyStore(locationOfPet),
    keys,
    usage,
    limiter,
    readiness,
    instruments,
    now,
  });
  const shutdown = app.get(GracefulShutdown);
  const connections = app.get(ConnectionTable);
  instruments.connections.watch(() => connections.size);
  const view = { registry: instruments.registry, readiness: readiness.check };
  const operations = await openToOperations(configuration, surroundings, view, database);
  if (operations !== undefined) closers.push(() => operations.close());
  closers.push(() => app.close());
  await app.listen(port, host);
  const address = app.getHttpServer().address() as AddressInfo;

  const administration = new ApiKeyAdministration({
    repository: database.apiKeys,
    hasher,
    kind: configuration.environment === 'production' ? 'live' : 'test',
  });
  const { embedded } = server;
  const demoKey = embedded ? await furnish(database.pets, database.apiKeys, administration) : undefined;
  return { origin: originOf(address), operations: operations?.origin, demoKey, embedded, close };
}

/** Opens the operations listener where one is wanted; it goes on answering while the public one is stopping. */
async function openToOperations(
  { opsHost: host, opsPort: port }: Configuration,
  { operations }: Surroundings,
  view: OperationsView,
  database: Database,
): Promise<OperationsServer | undefined> {
  if (port === undefined) return undefined;
  const { registry, readiness } = view;
  watchProcess(registry, {
    version: VERSION,
    pool: () => database.poolStats(),
    droppedLogLines,
    isReady: async () => (await readiness()).status !== 'unavailable',
  });
  if (operations === undefined) {
    return OperationsServer.start({ host, port, readiness, metrics: () => registry.metrics() });
  }
  operations(view);
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
