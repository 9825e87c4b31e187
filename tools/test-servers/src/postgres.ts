import { type EmbeddedPostgres, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Client } from 'pg';
import { copyDatabase, makeStandby, type Migrate, putDatabase } from './database-template.js';
import { memoryFolder } from './memory-folder.js';
import type { TemporaryFolder } from './temporary-folder.js';

type Settings = Readonly<Record<string, string>>;

/** A real PostgreSQL server of its own. */
export class TestPostgres {
  /** `postgresql://` address of a UTF-8 database, as its superuser. */
  readonly url: string;
  private paused: readonly number[] = [];

  private constructor(
    private readonly folder: TemporaryFolder,
    private server: EmbeddedPostgres,
    private readonly settings: Settings,
  ) {
    this.url = server.url;
  }

  /** @param fill makes the database in a new data folder */
  static async start(
    fill: (dataDir: string) => Promise<unknown>,
    settings: Settings = {},
  ): Promise<TestPostgres> {
    const folder = await memoryFolder('test-postgres');
    try {
      await fill(folder.path);
      return new TestPostgres(folder, await serverOf(folder, settings), settings);
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  /** Process id of the server as it runs now. */
  get pid(): number {
    return this.server.pid;
  }

  /** Stops the server and removes its folder. */
  async stop(): Promise<void> {
    await this.server.stop();
    await this.folder.remove();
  }

  /** Ends the server at once, as a crash does: SIGKILL of the process that all its others descend from. */
  async kill(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL');
    // Waits until its sessions have ended, too.
    await this.server.stop();
  }

  /** Starts the server again on the same address and data, after {@link TestPostgres.kill}. */
  async start(): Promise<void> {
    this.server = await serverOf(this.folder, this.settings);
  }

  /** Copies the data into another folder while the server is stopped for a moment. */
  async copyTo(dataDir: string): Promise<void> {
    await this.server.stop();
    await copyDatabase(this.folder.path, dataDir);
    await this.start();
  }

  /** Makes the server hang (SIGSTOP of all its processes): it keeps its connections and says nothing. */
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

  /** Ends {@link TestPostgres.pause}. */
  resume(): void {
    for (const pid of this.paused) process.kill(pid, 'SIGCONT');
    this.paused = [];
  }
}

function serverOf({ path: dataDir }: TemporaryFolder, settings: Settings): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false, settings });
}

/**
 * A server with an empty database, for one test file: about 0.2 s. It does not wait for the disk, keeps what it
 * acknowledged when it is killed, and ends with the process that started it, also when that is killed.
 */
export function startTestPostgres(): Promise<TestPostgres> {
  return TestPostgres.start((dataDir) => putDatabase(dataDir));
}

/** Connects to a database whose tables it can make. */
export type OpenDatabase = (settings: {
  readonly url: string;
}) => Promise<{ migrate(): Promise<unknown>; close(): Promise<void> }>;

/**
 * As {@link startTestPostgres}, with the tables of the service, which cost 0.4 s of CPU where each test file makes
 * them. For all tests that are not about migrations.
 *
 * @param open `Database.open` of `@petstore/persistence`; called only if no copy of the migrated database exists
 */
export function startMigratedPostgres(open: OpenDatabase, settings: Settings = {}): Promise<TestPostgres> {
  const migrate: Migrate = async (url) => {
    const database = await open({ url });
    try {
      await database.migrate();
    } finally {
      await database.close();
    }
  };
  return TestPostgres.start((dataDir) => putDatabase(dataDir, migrate), settings);
}

/** A server, and a hot standby that follows it (PostgreSQL manual, section 26.2.5). */
export interface ReplicatedPostgres {
  readonly primary: TestPostgres;
  readonly replica: TestPostgres;
}

/** As {@link startMigratedPostgres}, with a replica of it. */
export async function startReplicatedPostgres(open: OpenDatabase): Promise<ReplicatedPostgres> {
  // Both need them: a replica may become a primary.
  const settings = { wal_level: 'replica', max_wal_senders: '4' };
  const primary = await startMigratedPostgres(open, settings);
  try {
    const { searchParams, password, username } = new URL(primary.url);
    const fill = async (dataDir: string): Promise<void> => {
      // With what was written under these settings, and not under those of the template.
      await primary.copyTo(dataDir);
      await makeStandby(dataDir);
    };
    const replica = await TestPostgres.start(fill, {
      ...settings,
      primary_conninfo: `host=${searchParams.get('host') ?? ''} user=${username} password=${decodeURIComponent(password)}`,
      wal_retrieve_retry_interval: '100ms',
    });
    return { primary, replica };
  } catch (error) {
    await primary.stop();
    throw error;
  }
}
