import { afterAll } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeyAdministration, type NewKey } from '@petstore/api-key';
import { PETSTORE_PLANS } from '../../src/access/petstore-plans.js';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import { type Environment, readConfiguration } from '../../src/configuration/configuration.js';
import { Database, ListenNotifyBus, ApiKeyTables } from '@petstore/persistence';
import { startMigratedPostgres, startRedis, type TestPostgres, type TestRedis } from '@petstore/test-servers';
import { type Service, startService } from '../../src/startup/start-service.js';
import { serverElsewhere } from '../../src/storage/database-server.js';
import { Client } from './client.js';
import { WatchedSigner, WatchedLog } from './watched-log.js';

/** After so long a server has seen that its clients are gone: with one of them left it would drain for a second. */
const CLOSING_MS = 20;

const PEPPER = 'pepper-of-the-end-to-end-tests';

/** On a busy machine requests wait longer for others, for a lock or for a connection than they may. */
export const PATIENT_MS = 20_000;
/** Milliseconds. */
export const AS_IN_PRODUCTION = 1_400;

export interface RunOptions {
  /** The clock of the service; that of the system unless given. */
  readonly now?: () => number;
  readonly startPostgres?: () => Promise<TestPostgres>;
  /** How long requests wait for the database, in milliseconds; {@link AS_IN_PRODUCTION} for tests of outages. */
  readonly responseTimeoutMs?: number;
}

/** The whole service on real servers, and the means to issue keys for it. */
export interface RunningService {
  readonly service: Service;
  /** What it was started with, for programs on the same servers. */
  readonly environment: Environment;
  /** Direct access to what the service keeps. */
  readonly database: Database;
  /** The servers behind the service, for tests that stop them. */
  readonly postgres: TestPostgres;
  readonly redis: TestRedis;
  /** What the operator's tool does with keys, events included. */
  readonly administration: ApiKeyAdministration;
  /** Every line that was logged, other instances' too. */
  readonly lines: readonly string[];
  /** Lines with this message, so far. */
  logged(message: string): Record<string, unknown>[];
  /** Starts another instance on the same servers, where some of the environment may be another one. */
  another(changes?: Environment): Promise<Service>;
  /** A client with a key of its own: every scope and hardly a limit, unless said. */
  client(key?: Partial<NewKey>): Promise<Client>;
  /** A client of this key, or of none, closed with the rest. @param origin of another instance */
  connect(key?: string, origin?: string): Client;
  issueKey(key?: Partial<NewKey>): Promise<string>;
  /** Closes everything; fails when a key, the pepper or the database's password is in any line of the log. */
  close(): Promise<void>;
}

/** Starts PostgreSQL, Redis and the service for one test file. */
export async function runService(
  environment: Environment = {},
  {
    now,
    startPostgres = () => startMigratedPostgres((settings) => Database.open(settings)),
    responseTimeoutMs = PATIENT_MS,
  }: RunOptions = {},
): Promise<RunningService> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const complete: Environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    API_KEY_PEPPER: PEPPER,
    ANONYMOUS_PER_MINUTE: '100000',
    ANONYMOUS_PER_DAY: '100000',
    ...environment,
  };
  const watched = new WatchedLog();
  const start = (changes?: Environment): Promise<Service> => {
    const configuration = readConfiguration({ ...complete, ...changes });
    const { databaseUrl = postgres.url } = configuration;
    const server = { ...serverElsewhere(databaseUrl), responseTimeoutMs };
    return startService(configuration, watched.log, { now, server });
  };
  watched.guard(new URL(postgres.url).password);
  const service = await start().catch(async (error: unknown) => {
    // Nothing else would stop them: the process of the tests would not end.
    await Promise.all([postgres.stop(), redis.stop()]);
    throw error;
  });
  // What a test does itself is in no hurry, also where the service is.
  const database = await Database.open({ url: postgres.url, responseTimeoutMs: PATIENT_MS });
  const administration = new ApiKeyAdministration({
    repository: new ApiKeyTables(database),
    signer: new WatchedSigner(PEPPER, watched),
    scopes: PETSTORE_SCOPES,
    plans: PETSTORE_PLANS,
    mode: 'test',
    events: new ListenNotifyBus(database),
  });
  const others: Service[] = [];
  const clients: Client[] = [];
  const issue = async (key: Partial<NewKey>): Promise<string> => {
    const issued = await administration.create(
      {
        name: 'test',
        plan: 'enterprise',
        ...(key.origins === undefined ? { scopes: PETSTORE_SCOPES.all } : {}),
        ...(key.plan === undefined ? { limits: { perMinute: 1_000_000, perDay: 1_000_000 } } : {}),
        ...key,
      },
      'tests',
    );
    return issued.secret;
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: at once, each would wait for a connection of its own. */
  const issueKey = (key: Partial<NewKey> = {}): Promise<string> => {
    const issued = last.then(() => issue(key));
    last = issued.catch(() => undefined);
    return issued;
  };
  const connect = (key?: string, origin = service.origin): Client => {
    const client = new Client(origin, key);
    clients.push(client);
    return client;
  };
  const close = async (): Promise<void> => {
    for (const client of clients) client.close();
    await sleep(CLOSING_MS);
    await Promise.all([service, ...others].map((instance) => instance.close()));
    await database.close();
    await Promise.all([postgres.stop(), redis.stop()]);
    watched.check();
  };
  return {
    service,
    environment: complete,
    database,
    postgres,
    redis,
    administration,
    lines: watched.lines,
    logged: (message) => watched.logged(message),
    another: async (changes) => {
      const other = await start(changes);
      others.push(other);
      return other;
    },
    issueKey,
    client: async (key) => connect(await issueKey(key)),
    connect,
    close,
  };
}

/** A service for the tests of a file, and a client of it that may do everything. */
interface Served {
  readonly running: RunningService;
  readonly client: Client;
}

/** Runs the service for all tests of a file: with a client that may do everything, and closed behind the last test. */
export async function serve(environment?: Environment, options?: RunOptions): Promise<Served> {
  const running = await runService(environment, options);
  afterAll(() => running.close());
  return { running, client: await running.client() };
}

let shared: Promise<Served> | undefined;

/**
 * As {@link serve}, for specs that may run on what others have left behind: those that one `together.spec.ts` loads have one
 * service, each with a key of its own.
 */
export async function serveShared(): Promise<Served> {
  const { running } = await (shared ??= serve());
  return { running, client: await running.client() };
}
