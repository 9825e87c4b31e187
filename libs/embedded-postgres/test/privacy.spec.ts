import { execFile, spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parentInMemory } from '@petstore/testing';
import { connectToRunning } from '../src/connect.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/start.js';
import { query, removeFolder, untilNone } from './servers.js';
import { TestService } from './test-service.js';

const log = (): void => undefined;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let base: string;
let dataDir: string;

beforeAll(async () => {
  base = await mkdtemp(join(await parentInMemory(), 'petstore-privacy-'));
  await (await startEmbeddedPostgres({ dataDir: join(base, 'made'), log })).stop();
});
afterAll(() => removeFolder(base));

beforeEach(async () => {
  dataDir = await mkdtemp(join(base, 'test-'));
  await promisify(execFile)('cp', ['-Rp', join(base, 'made/postgres'), dataDir]);
});
// What stands in memory is not kept beside that of the other tests.
afterEach(() => removeFolder(dataDir));

async function within<T>(folder: string, work: (server: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir: folder, log });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

const socketsOf = (url: string): string => new URL(url).searchParams.get('host') ?? '';

const temporaryFolders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('petstore-socket-'));

describe('the way to the server', () => {
  it('is a socket that only its own user can reach, and no port', () =>
    within(dataDir, async ({ url }) => {
      const folder = socketsOf(url);
      expect(folder).toBe(join(dataDir, 'postgres/socket'));
      expect((await lstat(folder)).mode & 0o777).toBe(0o700);
      expect((await lstat(join(folder, '.s.PGSQL.5432'))).mode & 0o777).toBe(0o700);
      expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
      if (!isRoot) return;
      // Even where the folders above can be entered by everybody.
      for (const path of [base, dataDir]) await chmod(path, 0o755);
      const script = `require('net').connect(${JSON.stringify(join(folder, '.s.PGSQL.5432'))})
        .on('connect', () => process.exit(0)).on('error', ({ code }) => { console.log(code); process.exit(1); })`;
      const other = spawnSync(process.execPath, ['-e', script], { uid: NOBODY, gid: NOBODY, cwd: '/' });
      expect(other.stdout.toString().trim()).toBe('EACCES');
    }));

  it.each([
    60,
    107 - '/postgres/socket/.s.PGSQL.5432'.length,
    108 - '/postgres/socket/.s.PGSQL.5432'.length,
    200,
  ])('is found by other tools with a data folder of %i bytes', async (length) => {
    const before = await temporaryFolders();
    // Names may hold what a URL or a list of folders would take for its own.
    const prefix = `${dataDir}/ü, "?&#%+ `;
    const folder = prefix + 'x'.repeat(Math.max(1, length - Buffer.byteLength(prefix)));
    await rename(join(dataDir, 'postgres'), join(dataDir, 'aside'));
    await mkdir(folder);
    await rename(join(dataDir, 'aside'), join(folder, 'postgres'));
    await within(folder, async ({ url, pid }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(await connectToRunning(folder)).toBe(url);
      expect((await lstat(socketsOf(url))).mode & 0o777).toBe(0o700);
      expect(socketsOf(url).startsWith(folder)).toBe(
        Buffer.byteLength(`${folder}/postgres/socket/.s.PGSQL.5432`) <= 107,
      );
      process.kill(pid, 'SIGKILL');
      for (let back = false; !back;) {
        back = await query(url, 'select 1').then(
          () => true,
          () => sleep(10, false),
        );
      }
    });
    expect(await temporaryFolders()).toEqual(before);
  });

  it('leaves nothing in the temporary folder for good when everything is killed', async () => {
    const before = await temporaryFolders();
    const folder = join(dataDir, 'y'.repeat(120));
    await mkdir(folder);
    await rename(join(dataDir, 'postgres'), join(folder, 'postgres'));
    const service = new TestService('write', folder);
    const { url = '', pid = 0 } = await service.until((said) => said.pid !== undefined);
    expect(await temporaryFolders()).toHaveLength(before.length + 1);
    process.kill(pid, 'SIGKILL');
    await service.kill('SIGKILL');
    await untilNone(folder);
    await within(folder, async (server) => {
      expect(server.url).not.toBe(url);
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
    expect(await temporaryFolders()).toEqual(before);
  });

  it('starts although the process id of a dead socket lock belongs to another program now', async () => {
    await writeFile(
      join(dataDir, 'postgres/socket/.s.PGSQL.5432.lock'),
      `${process.pid}\n/elsewhere\n1\n5432\n`,
    );
    await within(dataDir, async ({ url }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    });
  });
});

describe('a data folder', () => {
  const refuses = async (message: RegExp): Promise<void> => {
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      reason: 'not_permitted',
      message: expect.stringMatching(message),
    });
  };

  it.each([
    ['postgres', 0o750, '0700'],
    ['postgres', 0o705, '0700'],
    ['postgres/cluster/password', 0o640, '0600'],
    ['postgres/cluster/password', 0o604, '0600'],
    ['postgres/socket', 0o755, '0700'],
  ])('whose %s others may read (%o) is refused, with what to do', async (name, mode, wanted) => {
    const path = join(dataDir, name);
    await chmod(path, mode);
    await refuses(
      new RegExp(
        `^${path} is open to other users \\(mode 0${mode.toString(8)}\\).* chmod ${wanted} ${path}$`,
      ),
    );
    await chmod(path, name.endsWith('password') ? 0o600 : 0o700);
    await within(dataDir, () => Promise.resolve());
  });

  it('to which everybody can write is refused, unless nobody can move what is ours', async () => {
    await chmod(dataDir, 0o777);
    await refuses(/^Every user can write to the data folder .*: chmod o-w /);
    await chmod(dataDir, 0o1777);
    await within(dataDir, () => Promise.resolve());
    // Made with a umask that many systems have.
    await chmod(dataDir, 0o775);
    await within(dataDir, () => Promise.resolve());
  });

  (isRoot ? it : it.skip)('that belongs to another user is refused', async () => {
    await chown(dataDir, 12_345, 12_345);
    await refuses(/^The data folder .* belongs to the user with the id 12345, .*: chown 0 /);
    await chown(dataDir, 0, 0);
    await within(dataDir, () => Promise.resolve());
  });

  (isRoot ? it : it.skip).each(['postgres', 'postgres/cluster/password', 'postgres/socket'])(
    'whose %s belongs to another user is refused',
    async (name) => {
      await chown(join(dataDir, name), 12_345, 12_345);
      await refuses(/belongs to the user with the id 12345, and the service runs as 0\..*chown -R 0 /);
    },
  );

  it.each(['postgres', 'postgres/cluster/password', 'postgres/socket'])(
    'whose %s is a link is refused',
    async (name) => {
      await rename(join(dataDir, name), join(dataDir, 'aside'));
      await symlink(join(dataDir, 'aside'), join(dataDir, name));
      await refuses(/cannot be used \(ELOOP\)|is a link or no ordinary file/);
    },
  );

  it('whose password is a pipe is refused and not waited for', async () => {
    const path = join(dataDir, 'postgres/cluster/password');
    await rm(path);
    spawnSync('mkfifo', ['-m', '600', path]);
    await refuses(/is a link or no ordinary file/);
  });

  it.each(['/proc/x', '/proc/x/y', '/dev/null/x', '/sys/x'])(
    'cannot be %s, which is said at once',
    async (path) => {
      await expect(startEmbeddedPostgres({ dataDir: path, log })).rejects.toMatchObject({
        reason: 'not_permitted',
        message: expect.stringMatching(
          new RegExp(`^The data folder ${path} cannot be used \\(E[A-Z]+\\)\\.`),
        ),
      });
    },
  );
});
