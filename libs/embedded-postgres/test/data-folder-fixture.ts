import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start.js';

/** Takes what the server says, and keeps none of it. */
export const log = (): void => undefined;

/**
 * A data folder with a database for each test of a file: copies of one, because making a database takes most of the
 * time.
 */
export class DataFolderFixture {
  /** The folder that holds the data folders. */
  base!: string;
  dataDir!: string;

  constructor() {
    beforeAll(async () => {
      this.base = await mkdtemp(join(tmpdir(), 'petstore-embedded-'));
      await (await startEmbeddedPostgres({ dataDir: join(this.base, 'made'), log })).stop();
    });
    afterAll(() => rm(this.base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    beforeEach(async () => {
      this.dataDir = await mkdtemp(join(this.base, 'test-'));
      await cp(join(this.base, 'made'), this.dataDir, { recursive: true, verbatimSymlinks: true });
    });
  }

  /** Works with a server on the folder, and stops the server. */
  async within<T>(work: (server: EmbeddedPostgres) => Promise<T>): Promise<T> {
    const server = await startEmbeddedPostgres({ dataDir: this.dataDir, log });
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  }
}
