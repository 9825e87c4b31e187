import { type EmbeddedPostgres, startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { temporaryFolder } from './temporary-folder.js';

export interface TestPostgres {
  /** `postgresql://` address of an empty UTF-8 database, as its superuser. */
  readonly url: string;
  /** Process id of the server as it runs now. */
  readonly pid: number;
  /** Ends the server at once, as a crash does: SIGKILL of the process that all others descend from. */
  kill(): Promise<void>;
  /** Starts the server again on the same address and data, after {@link TestPostgres.kill}. */
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL server of its own with an empty database, for one test file: about 0.7 s.
 * It does not wait for the disk, and ends with the process that started it, also when that is killed.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = await temporaryFolder('test-postgres');
  const start = (port?: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir: folder.path, log: ignore, durable: false, ...(port && { port }) });
  try {
    let server = await start();
    return {
      url: server.url,
      get pid() {
        return server.pid;
      },
      kill: async () => {
        process.kill(server.pid, 'SIGKILL');
        // Nobody starts it again before `start`.
        await server.stop();
      },
      start: async () => {
        server = await start(server.port);
      },
      stop: async () => {
        await server.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

const ignore = (): void => undefined;
