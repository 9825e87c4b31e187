import { spawnSync } from 'node:child_process';
import { chmod, chown, lchown, lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { connectToRunning } from '../src/connect.js';
import { readOrCreatePepper } from '../src/pepper-file.js';
import { startEmbeddedPostgres } from '../src/start.js';
import { DataFolderFixture, log } from './data-folder-fixture.js';
import { query } from './servers.js';
import { TestService } from './test-service.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const SERVICE = fileURLToPath(new URL('service.mjs', import.meta.url));
/** Whether a mount of one's own can be made here; containers often forbid it. */
const MOUNTS = isRoot && spawnSync('unshare', ['--mount', 'mount', '--bind', '/', '/']).status === 0;

const fixture = new DataFolderFixture();

const SOCKET = '/postgres/.s.PGSQL.5432';
/** The longest path of a socket on Linux, in bytes. */
const LONGEST = 107;

const socketsOf = (url: string): string => new URL(url).searchParams.get('host') ?? '';
const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777;

/** Moves the database into a folder of a longer name. */
async function moveTo(folder: string): Promise<void> {
  const aside = join(fixture.base, 'aside');
  await rename(join(fixture.dataDir, 'postgres'), aside);
  await mkdir(folder);
  await rename(aside, join(folder, 'postgres'));
}

describe('the way to the server', () => {
  it('is a socket that only its own user can reach, and no port', () =>
    fixture.within(async ({ url }) => {
      const folder = socketsOf(url);
      expect(folder).toBe(join(fixture.dataDir, 'postgres'));
      expect(await modeOf(folder)).toBe(0o700);
      expect(await modeOf(join(folder, '.s.PGSQL.5432'))).toBe(0o700);
      expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
      if (!isRoot) return;
      // Even where the folders above can be entered by everybody.
      for (const path of [fixture.base, fixture.dataDir]) await chmod(path, 0o755);
      const script = `require('net').connect(${JSON.stringify(join(folder, '.s.PGSQL.5432'))})
        .on('connect', () => process.exit(0)).on('error', ({ code }) => { console.log(code); process.exit(1); })`;
      const other = spawnSync(process.execPath, ['-e', script], { uid: NOBODY, gid: NOBODY, cwd: '/' });
      expect(other.stdout.toString().trim()).toBe('EACCES');
    }));

  /** A data folder of so many bytes, whose name has what a URL or a list of folders would take for its own. */
  const folderOf = (length: number): string => {
    const prefix = `${fixture.dataDir}/ü, "?&#%+ `;
    return prefix + 'x'.repeat(length - Buffer.byteLength(prefix));
  };

  it('is found by other tools with the longest data folder, whatever is in its name', async () => {
    const folder = folderOf(LONGEST - SOCKET.length);
    await moveTo(folder);
    await fixture.within(async ({ url }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(await connectToRunning(folder)).toBe(url);
    }, folder);
    await expect(
      startEmbeddedPostgres({ dataDir: folderOf(LONGEST - SOCKET.length + 1), log }),
    ).rejects.toMatchObject({
      reason: 'not_permitted',
      message: expect.stringMatching(/^The path of the data folder .* is too long for a socket in it\./),
    });
  });
});

describe('a data folder', () => {
  const refuses = async (message: RegExp, dataDir = fixture.dataDir): Promise<void> => {
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      reason: 'not_permitted',
      message: expect.stringMatching(message),
    });
  };
  const starts = (): Promise<void> => fixture.within(() => Promise.resolve());

  it.each([0o000, 0o027, 0o077])(
    'that a start made under umask %o is taken by the next one',
    async (mask) => {
      const dataDir = join(fixture.dataDir, 'made/by a start');
      const before = process.umask(mask);
      try {
        await readOrCreatePepper(dataDir);
        await rename(join(fixture.dataDir, 'postgres'), join(dataDir, 'postgres'));
        for (let start = 0; start < 2; start++)
          await fixture.within(() => readOrCreatePepper(dataDir), dataDir);
      } finally {
        process.umask(before);
      }
    },
  );

  it.each([':', ';'])('with a "%s" in its path is refused before anything is made', async (separator) => {
    const dataDir = `${fixture.dataDir}${separator}b`;
    await refuses(/which separate paths/, dataDir);
    await expect(lstat(dataDir)).rejects.toThrow('ENOENT');
  });

  const PRIVATE = ['postgres', 'postgres/cluster/password'];

  it.each([
    ['postgres', 0o750, '0700'],
    ['postgres', 0o705, '0700'],
    ['postgres/cluster/password', 0o640, '0600'],
    ['postgres/cluster/password', 0o604, '0600'],
  ])('whose %s others may read (%o) is refused, with what to do', async (name, mode, wanted) => {
    const path = join(fixture.dataDir, name);
    await chmod(path, mode);
    const told = `${path} is open to other users \\(mode 0${mode.toString(8)}\\).* chmod ${wanted} '${path}'`;
    await refuses(new RegExp(`^${told}$`));
  });

  it('to which everybody can write is refused, unless nobody can move what is ours', async () => {
    await chmod(fixture.dataDir, 0o777);
    await refuses(/ is open to other users \(mode 0777\)\. Close it with: chmod o-w '/);
    await chmod(fixture.dataDir, 0o1777);
    await starts();
    // Made with a umask that many systems have.
    await chmod(fixture.dataDir, 0o775);
    await starts();
  });

  (isRoot ? it : it.skip)('that belongs to another user is refused', async () => {
    await chown(fixture.dataDir, 12_345, 12_345);
    await refuses(/ belongs to the user with the id 12345, .*: chown -R 0 '/);
  });

  (isRoot ? it : it.skip).each(PRIVATE)('whose %s belongs to another user is refused', async (name) => {
    await chown(join(fixture.dataDir, name), 12_345, 12_345);
    await refuses(/belongs to the user with the id 12345, and the service runs as 0\..*chown -R 0 /);
  });

  it.each(PRIVATE)('whose %s is a link is refused', async (name) => {
    await rename(join(fixture.dataDir, name), join(fixture.dataDir, 'aside'));
    await symlink(join(fixture.dataDir, 'aside'), join(fixture.dataDir, name));
    await refuses(/cannot be used: ELOOP: .*, open '\/|is a link or no ordinary file/);
  });

  it('whose password is a pipe is refused and not waited for', async () => {
    const path = join(fixture.dataDir, 'postgres/cluster/password');
    await rm(path);
    spawnSync('mkfifo', ['-m', '600', path]);
    await refuses(/is a link or no ordinary file/);
  });

  it('may be a link to a folder that is as closed as it must be, in a place of ours', async () => {
    const link = join(fixture.base, 'link');
    await symlink(fixture.dataDir, link);
    try {
      await fixture.within(() => Promise.resolve(), link);
      await chmod(fixture.dataDir, 0o777);
      await refuses(/ is open to other users \(mode 0777\)\. Close it with: chmod o-w '/, link);
      await chmod(fixture.dataDir, 0o700);
      if (!isRoot) return;
      await lchown(link, 12_345, 12_345);
      await refuses(/ belongs to the user with the id 12345, /, link);
    } finally {
      await rm(link);
    }
  });

  it('cannot be a file, nor where there can be none: what was tried on which path is said at once', async () => {
    const file = join(fixture.dataDir, 'file');
    await writeFile(file, '');
    for (const path of [file, '/dev/null/x', '/sys/x', '/proc/x'])
      await refuses(
        new RegExp(`^The data folder ${path} cannot be used: E[A-Z]+: [a-z ]+, mkdir '${path}`),
        path,
      );
  });

  // As an ordinary user: root may change what it pleases, but for a file system that is read-only.
  it.each(['postgres', 'postgres/cluster/data'])(
    'of which this user may not change %s is refused with the path and the words of the system',
    async (name) => {
      const path = join(fixture.dataDir, name);
      if (isRoot) {
        await chmod(fixture.base, 0o755);
        await chown(fixture.dataDir, NOBODY, NOBODY);
        spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(fixture.dataDir, 'postgres')]);
      }
      await chmod(path, 0o500);
      const service = new TestService('once', fixture.dataDir, isRoot ? NOBODY : undefined);
      const { message } = await service.until(({ error }) => error !== undefined);
      await chmod(path, 0o700);
      expect(message).toContain(fixture.dataDir);
      expect(message).toMatch(/EACCES: permission denied, access '.*postgres'\.|Permission denied/);
      expect(message).not.toContain('glibc');
    },
  );

  (MOUNTS ? it : it.skip)('on a file system that is read-only is refused so', () => {
    const command = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && exec "$2" "$3" once "$1"`;
    const args = ['--mount', '/bin/sh', '-c', command, 'sh', fixture.dataDir, process.execPath, SERVICE];
    const { stdout } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect(stdout).toContain(
      `cannot be used: EROFS: read-only file system, access '${fixture.dataDir}/postgres'. Make that file system writable`,
    );
  });
});
