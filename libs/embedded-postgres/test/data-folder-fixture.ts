import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { parentInMemory } from '@petstore/testing';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start.js';
import { removeFolder } from './servers.js';

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
      this.base = await mkdtemp(join(await parentInMemory(), 'petstore-embedded-'));
      await (await startEmbeddedPostgres({ dataDir: join(this.base, 'made'), log })).stop();
    });
    afterAll(() => removeFolder(this.base));
    beforeEach(async () => {
      this.dataDir = await mkdtemp(join(this.base, 'test-'));
      await promisify(execFile)('cp', ['-Rp', join(this.base, 'made/postgres'), this.dataDir]);
    });
    // What stands in memory is not kept beside that of the other tests.
    afterEach(() => removeFolder(this.dataDir));
  }

  /** Works with a server on the folder of the test, or another one, and stops the server. */
  async within<T>(work: (server: EmbeddedPostgres) => Promise<T>, dataDir = this.dataDir): Promise<T> {
    const server = await startEmbeddedPostgres({ dataDir, log });
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  }
}
