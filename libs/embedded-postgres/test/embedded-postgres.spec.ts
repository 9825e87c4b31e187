import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@petstore/testing';
import { findPlatformPackage } from '../src/platform-package.js';
import { connectToRunning, openEmbeddedPostgres } from '../src/connect.js';
import { startEmbeddedPostgres } from '../src/start.js';
import { DataFolderFixture, log } from './data-folder-fixture.js';
import { query, untilNone } from './servers.js';
import { TestService } from './test-service.js';

const fixture = new DataFolderFixture();

/** Starts a server on the folder, sees that it works, and stops it. */
const expectToWork = (folder?: string): Promise<void> =>
  fixture.within(async ({ url }) => {
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }, folder);

describe('the embedded PostgreSQL', () => {
  it('is a durable UTF-8 database with checksums, out of reach of any network, and keeps it', async () => {
    await fixture.within(async ({ url }) => {
      const settings = ['server_encoding', 'fsync', 'data_checksums', 'listen_addresses', 'TimeZone'];
      const columns = settings.map((name) => `current_setting('${name}') as "${name}"`);
      expect(await query(url, `select ${columns.join()}`)).toEqual([
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
    await fixture.within(async ({ url }) => {
      expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
    await untilNone(fixture.dataDir);
  });

  it('keeps the password where only the owner can read it, and asks for it', async () => {
    await fixture.within(async ({ url }) => {
      expect((await stat(join(fixture.dataDir, 'postgres/cluster/password'))).mode & 0o777).toBe(0o600);
      const wrong = new URL(url);
      wrong.password = 'guess';
      await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    });
  });

  it('refuses a second start on the same folder, naming the folder and the process', async () => {
    await fixture.within(async ({ pid, url }) => {
      await expect(startEmbeddedPostgres({ dataDir: fixture.dataDir, log })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        reason: 'folder_in_use',
        message: expect.stringMatching(
          new RegExp(`^The data folder ${fixture.dataDir} is in use: .* process ${pid}\\.`),
        ),
      });
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('removes what a process left that was killed while it made the database', async () => {
    await rm(join(fixture.dataDir, 'postgres'), { recursive: true });
    const draft = join(fixture.dataDir, 'postgres/draft-4194304-killed');
    await mkdir(join(draft, 'data'), { recursive: true, mode: 0o700 });
    await writeFile(join(draft, 'data/PG_VERSION'), '18\n');
    await expectToWork();
    expect(await readdir(join(fixture.dataDir, 'postgres'))).toEqual(['cluster', 'lib']);
  });

  /** What PostgreSQL has in a data folder so far. */
  const contentOf = (folder: string): Promise<string[]> => readdir(join(folder, 'postgres')).catch(() => []);
  const isDraft = (name: string): boolean => name.startsWith('draft-');

  it('starts at once after a process was killed in the middle of initdb', async () => {
    let folder = join(fixture.dataDir, 'fresh');
    const hasDraft = async (): Promise<boolean> => (await contentOf(folder)).some(isDraft);
    // One that has made its database before it was killed is no example.
    for (let n = 0; !(await hasDraft()); n++) {
      folder = join(fixture.dataDir, `fresh-${n}`);
      const killed = new TestService('once', folder);
      await waitFor(async () =>
        (await contentOf(folder)).some((name) => isDraft(name) || name === 'cluster'),
      );
      await sleep(50);
      await killed.kill('SIGKILL');
    }
    await expectToWork(folder);
  });

  /** Writes what a killed server leaves. */
  const leaveLocks = async (pid: number): Promise<void> => {
    const data = join(fixture.dataDir, 'postgres/cluster/data');
    const lock = [pid, data, 1, 5432, '', '', '', 'ready'];
    await writeFile(join(data, 'postmaster.pid'), `${lock.join('\n')}\n`);
    const socketLock = join(fixture.dataDir, 'postgres/.s.PGSQL.5432.lock');
    await writeFile(socketLock, `${pid}\n/elsewhere\n1\n5432\n`);
  };

  it.each([
    ['another program', process.pid],
    ['a program of another user', 1],
  ])('starts although the process id of a dead server belongs to %s now', async (_whose, pid) => {
    await leaveLocks(pid);
    await expectToWork();
  });

  // As in a container whose first process waits for no orphans. Nothing is seen where there is no /proc (macOS).
  (existsSync('/proc') ? it : it.skip)(
    'starts although no process has waited for the dead server',
    async () => {
      const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
      try {
        const [output] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(output);
        await waitFor(async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z '));
        await leaveLocks(pid);
        await expectToWork();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('refuses the database of another major version and says what to do', async () => {
    await writeFile(join(fixture.dataDir, 'postgres/cluster/data/PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres({ dataDir: fixture.dataDir, log })).rejects.toMatchObject({
      reason: 'other_version',
      message: expect.stringMatching(
        /holds a database of PostgreSQL 17, and the service brings PostgreSQL 18.*pg_dump/,
      ),
    });
  });

  it('says what PostgreSQL says when it cannot start', async () => {
    await rm(join(fixture.dataDir, 'postgres/cluster/data/global/pg_control'));
    await expect(startEmbeddedPostgres({ dataDir: fixture.dataDir, log })).rejects.toMatchObject({
      reason: 'start_failed',
      message: expect.stringContaining('could not find the database system'),
    });
  });

  it.each(['win32-x64', 'linux-riscv64'])(
    'says on a system without it, %s, what to set instead',
    async (system) => {
      await expect(findPlatformPackage(system)).rejects.toMatchObject({
        reason: 'unsupported_platform',
        message: expect.stringMatching(new RegExp(`${system}\\..*DATABASE_URL.*API_KEY_PEPPER`)),
      });
    },
  );

  it('says what it wrote last when it ends by itself, and nothing is started again', async () => {
    const server = await startEmbeddedPostgres({ dataDir: fixture.dataDir, log });
    process.kill(server.pid, 'SIGTERM');
    expect(await server.ended).toContain('database system is shut down');
    expect(await connectToRunning(fixture.dataDir)).toBeUndefined();
    await server.stop();
    await untilNone(fixture.dataDir);
  });
});

describe('a service that is killed', () => {
  const countRows = (url: string): Promise<number> =>
    query(url, 'select count(*)::int as rows from rows').then(([row]) => Number(row?.['rows']));

  it('loses nothing acknowledged, leaves no process behind, and starts again at once', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 2; round++) {
      const service = new TestService('write', fixture.dataDir);
      await service.until(({ row = 0 }) => row > acknowledged + 100);
      await service.kill('SIGKILL');
      acknowledged = service.lastRow;
    }
    await fixture.within(async ({ url }) => {
      expect(await countRows(url)).toBeGreaterThanOrEqual(acknowledged);
    });
    await untilNone(fixture.dataDir);
  });

  it('recovers when its server is killed as well', async () => {
    const service = new TestService('write', fixture.dataDir);
    const { pid = 0 } = await service.until((said) => said.pid !== undefined);
    await service.until(({ row = 0 }) => row > 100);
    process.kill(pid, 'SIGKILL');
    await service.kill('SIGKILL');
    await fixture.within(async ({ url }) => {
      expect(await countRows(url)).toBeGreaterThanOrEqual(service.lastRow);
    });
    await untilNone(fixture.dataDir);
  });

  // Only root can become somebody else, who must then be able to read this checkout.
  const nobody = 65_534;
  const become = { uid: nobody, gid: nobody };
  const canBecome =
    spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', import.meta.filename], become).status === 0;

  (canBecome ? it : it.skip)('works for a user id without a name, as containers are given', async () => {
    await chmod(fixture.base, 0o755);
    await chmod(fixture.dataDir, 0o777);
    const service = new TestService('write', join(fixture.dataDir, 'data'), 54_321);
    await service.until(({ row = 0 }) => row > 100);
    await service.kill('SIGTERM');
  });

  (canBecome ? it : it.skip)(
    'loses nothing as an ordinary user either, and root can take the data over',
    async () => {
      const folder = join(fixture.dataDir, 'data');
      await chmod(fixture.base, 0o755);
      await chmod(fixture.dataDir, 0o777);
      const service = new TestService('write', folder, nobody);
      await service.until(({ row = 0 }) => row > 100);
      await service.kill('SIGKILL');
      expect((await stat(join(folder, 'postgres/cluster/data'))).uid).toBe(nobody);
      await untilNone(folder);
      await fixture.within(async ({ url }) => {
        expect(await countRows(url)).toBeGreaterThanOrEqual(service.lastRow);
      }, folder);
    },
  );
});

describe('a tool beside the service', () => {
  it('reaches the database of a running service, and leaves it alone when it ends', async () => {
    expect(await connectToRunning(fixture.dataDir)).toBeUndefined();
    await fixture.within(async ({ url }) => {
      expect(await connectToRunning(fixture.dataDir)).toBe(url);
      expect(await new TestService('once', fixture.dataDir).end()).toEqual({ done: true });
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
    expect(await connectToRunning(fixture.dataDir)).toBeUndefined();
  });

  it('waits for a server that takes no sessions for the moment', () =>
    fixture.within(async ({ url }) => {
      const refusal = Object.assign(new Error('in recovery mode'), { code: '57P03' });
      const errors = [refusal, new Error('explained', { cause: refusal })];
      const connect = (): Promise<string> => {
        const error = errors.pop();
        return error === undefined ? Promise.resolve('session') : Promise.reject(error);
      };
      const opened = await openEmbeddedPostgres({ dataDir: fixture.dataDir, log }, connect);
      expect(opened.session).toBe('session');
      await opened.stop();
      expect(await connectToRunning(fixture.dataDir)).toBe(url);
      const broken = openEmbeddedPostgres({ dataDir: fixture.dataDir, log }, () =>
        Promise.reject(new Error('wrong password')),
      );
      await expect(broken).rejects.toThrow('wrong password');
    }));

  it.each(['', 'empty'])(
    'works three times at once on the folder "%s" that nobody else uses',
    async (folder) => {
      const tools = Array.from({ length: 3 }, () => new TestService('once', join(fixture.dataDir, folder)));
      expect(await Promise.all(tools.map((tool) => tool.end()))).toEqual(tools.map(() => ({ done: true })));
      await untilNone(fixture.dataDir);
    },
  );
});
