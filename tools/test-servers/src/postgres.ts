import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { temporaryFolder } from './temporary-folder.js';

export interface TestPostgres {
  /** `postgresql://` address of an empty UTF-8 database, as its superuser. */
  readonly url: string;
  /** Process id of the server. */
  readonly pid: number;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL server of its own with an empty database, for one test file: about 0.7 s.
 * It does not wait for the disk, and ends with the process that started it, also when that is killed.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = await temporaryFolder('test-postgres');
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log: ignore, durable: false });
    return {
      url: server.url,
      pid: server.pid,
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
