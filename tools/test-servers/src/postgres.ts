import { type EmbeddedPostgres, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Client } from 'pg';
import { copyDatabase, makeStandby, type Migrate, putDatabase } from './database-template.js';
import { memoryFolder } from './memory-folder.js';
import type { TemporaryFolder } from './temporary-folder.js';

export interface TestPostgres {
  /** `postgresql://` address of a UTF-8 database, as its superuser. */
  readonly url: string;
  /** Process id of the server as it runs now. */
  readonly pid: number;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
  /** Ends the server at once, as a crash does: SIGKILL of the process that all its others descend from. */
  kill(): Promise<void>;
  /** Starts the server again on the same address and data, after {@link TestPostgres.kill}. */
  start(): Promise<void>;
  /** Makes the server hang (SIGSTOP of all its processes): it keeps its connections and says nothing. */
  pause(): Promise<void>;
  /** Ends {@link TestPostgres.pause}. */
  resume(): void;
}

/**
 * A real PostgreSQL server of its own with an empty database, for one test file: about 0.2 s.
 * It does not wait for the disk, keeps what it acknowledged when it is killed, and ends with the process that started it, also when that is killed.
 */
export function startTestPostgres(): Promise<TestPostgres> {
  return startOn();
}

/**
 * As {@link startTestPostgres}, with the tables of the service, which cost 0.4 s of CPU where each test file makes them.
 * For all tests that are not about migrations.
 *
 * @param open `openDatabase` of the workspace: called only when nobody has made such a database of its migrations before
 */
export function startMigratedPostgres(open: OpenDatabase): Promise<TestPostgres> {
  return startOn(migrateBy(open));
}

function migrateBy(open: OpenDatabase): Migrate {
  return async (url) => {
    const database = await open({ url });
    try {
      await database.migrate();
    } finally {
      await database.close();
    }
  };
}

/** Connects to a database whose tables it can make. */
export type OpenDatabase = (settings: {
  readonly url: string;
}) => Promise<{ migrate(): Promise<unknown>; close(): Promise<void> }>;

/** A server, and a hot standby that follows it (PostgreSQL manual, section 26.2.5). */
export interface ReplicatedPostgres {
  readonly primary: TestPostgres;
  readonly replica: TestPostgres;
}

/** Both need them: a replica may become a primary. */
const REPLICATION = { wal_level: 'replica', max_wal_senders: '4' };

/** As {@link startMigratedPostgres}, with a replica of it. */
export async function startReplicatedPostgres(open: OpenDatabase): Promise<ReplicatedPostgres> {
  const origin = await startOn(migrateBy(open), REPLICATION);
  // What was written under other settings must not be what a replica begins with.
  await origin.halt();
  const folder = await memoryFolder('test-replica');
  try {
    await copyDatabase(origin.dataDir, folder.path);
    await origin.start();
    const { searchParams, password, username } = new URL(origin.url);
    const settings = {
      ...REPLICATION,
      primary_conninfo: `host=${searchParams.get('host') ?? ''} user=${username} password=${decodeURIComponent(password)}`,
      wal_retrieve_retry_interval: '100ms',
    };
    await makeStandby(folder.path);
    return {
      primary: origin,
      replica: new PostgresProcess(folder, await startIn(folder, settings), settings),
    };
  } catch (error) {
    await folder.remove();
    await origin.stop();
    throw error;
  }
}

type Settings = Readonly<Record<string, string>>;

async function startOn(migrate?: Migrate, settings: Settings = {}): Promise<PostgresProcess> {
  const folder = await memoryFolder('test-postgres');
  try {
    await putDatabase(folder.path, migrate);
    return new PostgresProcess(folder, await startIn(folder, settings), settings);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function startIn({ path: dataDir }: TemporaryFolder, settings: Settings): Promise<EmbeddedPostgres> {
  const log = (): void => undefined;
  return startEmbeddedPostgres({ dataDir, log, durable: false, settings });
}

class PostgresProcess implements TestPostgres {
  readonly url: string;
  private paused: readonly number[] = [];

  constructor(
    private readonly folder: TemporaryFolder,
    private server: EmbeddedPostgres,
    private readonly settings: Settings,
  ) {
    this.url = server.url;
  }

  get pid(): number {
    return this.server.pid;
  }

  get dataDir(): string {
    return this.folder.path;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.folder.remove();
  }

  /** Stops the server in order, to be started again. */
  async halt(): Promise<void> {
    await this.server.stop();
  }

  async kill(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL');
    // Ends the supervision: only `start` starts the server again.
    await this.server.stop();
  }

  async start(): Promise<void> {
    this.server = await startIn(this.folder, this.settings);
  }

  async pause(): Promise<void> {
    const session = new Client(this.url);
    session.on('error', () => undefined);
    await session.connect();
    const { rows } = await session.query<{ pid: number }>('select pid from pg_stat_activity');
    // Before its children: it would start others in their place.
    this.paused = [this.server.pid, ...rows.map(({ pid }) => pid)];
    for (const pid of this.paused) process.kill(pid, 'SIGSTOP');
    // Its server process is stopped, too, and would never finish an orderly close.
    session.connection.stream.destroy();
  }

  resume(): void {
    for (const pid of this.paused) process.kill(pid, 'SIGCONT');
    this.paused = [];
  }
}
