import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeyAdministration, RedisApiKeyEventBus, KeySigner } from '@petstore/api-key';
import { PETSTORE_SCOPES } from '../../src/access/petstore-scopes.js';
import type { Environment } from '../../src/configuration/configuration.js';
import { Database, PostgresApiKeyRepository } from '@petstore/persistence';
import { COLLECTS_GARBAGE, startRedis, startTestPostgres } from '@petstore/test-servers';
import { Program } from '../program.js';
import { readVitals, type ServiceVitals } from './service-vitals.js';

const PEPPER = 'pepper-of-the-hostile-tests';

/** No limit is reached by accident: an attack is about something else. */
const GENEROUS: Environment = {
  HOST: '127.0.0.1',
  PORT: '0',
  OPS_PORT: '0',
  API_KEY_PEPPER: PEPPER,
  ANONYMOUS_PER_MINUTE: '1000000',
  ANONYMOUS_PER_DAY: '1000000',
  MAX_CONNECTIONS_PER_ADDRESS: '10000',
  // Space for new objects, in MiB: V8 keeps it when it is empty, and since Node.js 24 that is more than a round may leave.
  NODE_OPTIONS: `--max-semi-space-size=4 ${COLLECTS_GARBAGE}`,
};

/** The program as a process of its own, and what can be seen of it from outside. */
export class AttackedService {
  readonly port: number;
  /** The management listener. */
  readonly management: string;
  readonly managementPort: number;

  private constructor(private readonly program: Program) {
    this.port = portOf(program.origin);
    this.management = program.logged('listening')[0]?.['management'] as string;
    this.managementPort = portOf(this.management);
  }

  /** @param made told of the process before it serves, and also when it never does */
  static async start(environment: Environment, made: (program: Program) => void): Promise<AttackedService> {
    // A folder that is never made: the database is elsewhere.
    const program = new Program('/nonexistent', environment);
    made(program);
    return new AttackedService(await program.started());
  }

  get origin(): string {
    return this.program.origin;
  }

  get isRunning(): boolean {
    return this.program.isRunning;
  }

  /** All that it has written. */
  get output(): string {
    return this.program.output;
  }

  logged(message: string): Record<string, unknown>[] {
    return this.program.logged(message);
  }

  vitals(): Promise<ServiceVitals> {
    return readVitals(this.management, this.port, this.program.pid);
  }

  /** As {@link vitals}, of a service that has just collected all its garbage. */
  vitalsWithoutGarbage(): Promise<ServiceVitals> {
    // Heard in its next turn.
    process.kill(this.program.pid, 'SIGUSR2');
    return this.vitals();
  }

  /** @returns its exit code; `null` when a signal ended it */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return this.program.end(signal);
  }
}

/** Servers for services under attack, and keys that each of them knows. */
export interface Battlefield {
  /** Of the healthy client. */
  readonly key: string;
  /** Of those who attack with a key. */
  readonly hostileKey: string;
  readonly start: (environment?: Environment) => Promise<AttackedService>;
  readonly close: () => Promise<void>;
}

export async function prepareBattlefield(): Promise<Battlefield> {
  const [postgres, redis] = await Promise.all([startTestPostgres(), startRedis()]);
  const environment = { ...GENEROUS, DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const programs: Program[] = [];
  const start = (more: Environment = {}): Promise<AttackedService> =>
    AttackedService.start({ ...environment, ...more }, (program) => programs.push(program));
  // Keys that are there before a service starts are known to it.
  const [key, hostileKey] = await issueKeys(postgres.url, redis.url);
  return {
    key,
    hostileKey,
    start,
    close: async () => {
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

async function issueKeys(databaseUrl: string, redisUrl: string): Promise<[string, string]> {
  const database = await Database.open({ url: databaseUrl });
  await database.migrate();
  const events = new RedisApiKeyEventBus([redisUrl]);
  const repository = new PostgresApiKeyRepository(database);
  const keys = new ApiKeyAdministration({
    repository,
    signer: new KeySigner(PEPPER),
    scopes: PETSTORE_SCOPES,
    kind: 'test',
    events,
  });
  const issue = async (name: string): Promise<string> => {
    const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
    return (await keys.create({ name, plan: 'enterprise', limits }, 'tests')).secret;
  };
  try {
    return [await issue('healthy'), await issue('hostile')];
  } finally {
    await events.close();
    await database.close();
  }
}

const portOf = (origin: string): number => Number(new URL(origin).port);

/** Between two looks at a service that comes to rest, in milliseconds. */
const LOOK_EVERY = 100;

/** Waits until the vitals are as they should be; resolves with the last ones seen, be they so or not. */
export function vitalsAtRest(
  service: AttackedService,
  good: (vitals: ServiceVitals) => boolean,
  withinMs: number,
): Promise<ServiceVitals> {
  return lookUntil(() => service.vitals(), good, withinMs);
}

/**
 * As {@link vitalsAtRest}, until less than `belowMiB` of memory is left, too, without garbage. It is collected only once
 * all else is good: collecting holds up a service that is still working.
 */
export async function collectedAtRest(
  service: AttackedService,
  good: (vitals: ServiceVitals) => boolean,
  belowMiB: number,
  withinMs: number,
): Promise<ServiceVitals> {
  const end = performance.now() + withinMs;
  await vitalsAtRest(service, good, withinMs);
  return lookUntil(
    () => service.vitalsWithoutGarbage(),
    (vitals) => good(vitals) && vitals.memoryMiB < belowMiB,
    end - performance.now(),
  );
}

async function lookUntil(
  look: () => Promise<ServiceVitals>,
  good: (vitals: ServiceVitals) => boolean,
  withinMs: number,
): Promise<ServiceVitals> {
  for (const end = performance.now() + withinMs; ;) {
    const vitals = await look();
    if (good(vitals) || performance.now() > end) return vitals;
    await sleep(LOOK_EVERY);
  }
}
