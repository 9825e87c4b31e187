import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parentInMemory } from '@petstore/memory-folder';
import { connectToRunning } from '../src/connect.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start.js';
import { query, untilNone } from './servers.js';
import { TestService } from './test-service.js';

const log = (): void => undefined;

let base: string;
let dataDir: string;

// Making a database takes most of the time, so only the tests that are about it do so.
beforeAll(async () => {
  base = await mkdtemp(join(await parentInMemory(), 'petstore-embedded-'));
  await (await startEmbeddedPostgres({ dataDir: join(base, 'made'), log })).stop();
});
const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
afterAll(() => remove(base));

beforeEach(async () => {
  dataDir = await mkdtemp(join(base, 'test-'));
  await promisify(execFile)('cp', ['-Rp', join(base, 'made/postgres'), dataDir]);
});
// What stands in memory is not kept beside that of the other tests.
afterEach(() => remove(dataDir));

async function within<T>(work: (server: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir, log });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

describe('startEmbeddedPostgres', () => {
  it('gives a durable UTF-8 database with checksums, out of reach of any network, and keeps it', async () => {
    await within(async ({ url }) => {
      const settings = ['server_encoding', 'fsync', 'data_checksums', 'listen_addresses', 'TimeZone'];
      const rows = await query(
        url,
        `select ${settings.map((name) => `current_setting('${name}') as "${name}"`).join()}`,
      );
      expect(rows).toEqual([
        {
          server_encoding: 'UTF8',
          fsync: 'on',
          data_checksums: 'on',
          listen_addresses: '',
          TimeZone: 'UTC',
        },
      ]);
      await query(url, 'create table kept as select 42 as answer');
    });
    await within(async ({ url }) => {
      expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
    await untilNone(dataDir);
  });

  it('keeps the password where only the owner can read it, and asks for it', async () => {
    await within(async ({ url }) => {
      expect((await stat(join(dataDir, 'postgres/cluster/password'))).mode & 0o777).toBe(0o600);
      const wrong = new URL(url);
      wrong.password = 'guess';
      await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    });
  });

  it('refuses a second start on the same folder, naming the folder and the process', async () => {
    await within(async ({ pid, url }) => {
      await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        reason: 'folder_in_use',
        pid,
        message: expect.stringContaining(`The data folder ${dataDir} is in use`),
      });
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('removes what a process left that was killed while it made the database', async () => {
    await rm(join(dataDir, 'postgres'), { recursive: true });
    const draft = join(dataDir, 'postgres/draft-4194304-killed');
    await mkdir(join(draft, 'data'), { recursive: true, mode: 0o700 });
    await writeFile(join(draft, 'data/PG_VERSION'), '18\n');
    await within(async ({ url }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['cluster', 'lib', 'socket']);
  });

  it('starts at once after a process was killed in the middle of initdb', async () => {
    const folder = join(dataDir, 'fresh');
    const killed = new TestService('once', folder);
    const drafts = async (): Promise<string[]> => {
      const names = await readdir(join(folder, 'postgres')).catch(() => []);
      return names.filter((name) => name.startsWith('draft-'));
    };
    while ((await drafts()).length === 0) await sleep(5);
    await sleep(50);
    await killed.kill('SIGKILL');
    expect(await drafts()).toHaveLength(1);
    const server = await startEmbeddedPostgres({ dataDir: folder, log });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('starts although the process id of a dead server belongs to another program now', async () => {
    const lock = [process.pid, join(dataDir, 'postgres/cluster/data'), 1, 5432, '', '', '', 'ready'];
    await writeFile(join(dataDir, 'postgres/cluster/data/postmaster.pid'), `${lock.join('\n')}\n`);
    await within(async ({ url }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('refuses the database of another major version and says what to do', async () => {
    await writeFile(join(dataDir, 'postgres/cluster/data/PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
      reason: 'other_version',
      message: expect.stringMatching(
        /holds a database of PostgreSQL 17, and the service brings PostgreSQL 18.*pg_dump/,
      ),
    });
  });

  it('says what PostgreSQL says when it cannot start', async () => {
    await rm(join(dataDir, 'postgres/cluster/data/global/pg_control'));
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
      reason: 'start_failed',
      message: expect.stringContaining('could not find the database system'),
    });
  });

  it('refuses a data folder that is a file', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: file, log })).rejects.toMatchObject({
      reason: 'not_permitted',
    });
  });
});

describe('a service that is killed', () => {
  it('loses nothing acknowledged, leaves no process behind, and starts again at once', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 3; round++) {
      const service = new TestService('write', dataDir);
      const start = await service.until(({ pid }) => pid !== undefined);
      await service.until(({ row = 0 }) => row > acknowledged + 200);
      await service.kill('SIGKILL');
      acknowledged = service.lastRow;
      expect(start.pid).toBeGreaterThan(0);
    }
    await within(async ({ url }) => {
      const [row] = await query(url, 'select count(*)::int as rows, max(n)::int as last from rows');
      expect(row?.['last']).toBeGreaterThanOrEqual(acknowledged);
      expect(row?.['rows']).toBeGreaterThanOrEqual(acknowledged);
    });
    await untilNone(dataDir);
  });

  it('recovers when its server is killed as well', async () => {
    const service = new TestService('write', dataDir);
    const { pid = 0 } = await service.until((said) => said.pid !== undefined);
    await service.until(({ row = 0 }) => row > 100);
    process.kill(pid, 'SIGKILL');
    await service.kill('SIGKILL');
    await within(async ({ url }) => {
      const [row] = await query(url, 'select count(*)::int as rows from rows');
      expect(row?.['rows']).toBeGreaterThanOrEqual(service.lastRow);
    });
    await untilNone(dataDir);
  });

  // Only root can become somebody else, who must then be able to read this checkout.
  const nobody = 65_534;
  const become = { uid: nobody, gid: nobody };
  const canBecome =
    spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', import.meta.filename], become).status === 0;

  (canBecome ? it : it.skip)(
    'loses nothing as an ordinary user either, and root can take the data over',
    async () => {
      const folder = join(dataDir, 'data');
      await chmod(base, 0o755);
      await chmod(dataDir, 0o777);
      const service = new TestService('write', folder, nobody);
      await service.until(({ row = 0 }) => row > 100);
      await service.kill('SIGKILL');
      expect((await stat(join(folder, 'postgres/cluster/data'))).uid).toBe(nobody);
      await untilNone(folder);
      const server = await startEmbeddedPostgres({ dataDir: folder, log });
      const [row] = await query(server.url, 'select count(*)::int as rows from rows');
      await server.stop();
      expect(row?.['rows']).toBeGreaterThanOrEqual(service.lastRow);
    },
  );
});

describe('a tool beside the service', () => {
  it('reaches the database of a running service', async () => {
    expect(await connectToRunning(dataDir)).toBeUndefined();
    await within(async ({ url }) => {
      expect(await connectToRunning(dataDir)).toBe(url);
    });
    expect(await connectToRunning(dataDir)).toBeUndefined();
  });

  it('leaves the database of a running service alone when it ends', async () => {
    await within(async ({ url }) => {
      expect(await new TestService('once', dataDir).end()).toEqual({ done: true });
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it.each(['', 'empty'])(
    'works four times at once on the folder "%s" that nobody else uses',
    async (folder) => {
      const tools = Array.from({ length: 4 }, () => new TestService('once', join(dataDir, folder)));
      expect(await Promise.all(tools.map((tool) => tool.end()))).toEqual(tools.map(() => ({ done: true })));
      await untilNone(dataDir);
    },
  );
});
