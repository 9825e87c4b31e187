import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readOrCreatePepper } from './pepper-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pepper-'));
  path = join(folder, 'pepper');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the pepper', () => {
  it('has 256 bits that only its owner can read, and is found again', async () => {
    const pepper = await readOrCreatePepper(folder);
    expect(Buffer.from(pepper, 'base64url')).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readOrCreatePepper(folder)).toBe(pepper);
  });

  it('is made with its folder when there is none', async () => {
    const pepper = await readOrCreatePepper(join(folder, 'a'));
    expect(await readFile(join(folder, 'a', 'pepper'), 'utf8')).toBe(pepper);
  });

  it('is one for all who ask at the same time, and leaves nothing else behind', async () => {
    const peppers = await Promise.all(Array.from({ length: 50 }, () => readOrCreatePepper(folder)));
    expect(new Set(peppers).size).toBe(1);
    expect(await readdir(folder)).toEqual(['pepper']);
  });

  it('is never made in the place of a file that cannot be read, nor where there can be none', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    await expect(readOrCreatePepper(folder)).rejects.toThrow('ENOTDIR');
  });

  it.each([0o640, 0o604, 0o660, 0o666])(
    'is refused when others can use the file (%o), with what to do',
    async (mode) => {
      const pepper = await readOrCreatePepper(folder);
      await chmod(path, mode);
      const refusal = readOrCreatePepper(folder);
      await expect(refusal).rejects.toBeInstanceOf(EmbeddedPostgresError);
      await expect(refusal).rejects.toThrow(
        `(mode 0${mode.toString(8)}). Close it with: chmod 0600 '${path}'`,
      );
      await expect(refusal).rejects.not.toThrow(pepper);
    },
  );

  (process.getuid?.() === 0 ? it : it.skip)('is refused in a file of another user', async () => {
    await readOrCreatePepper(folder);
    await chown(path, 12_345, 12_345);
    const message = /belongs to the user with the id 12345.*chown -R 0 /;
    await expect(readOrCreatePepper(folder)).rejects.toThrow(message);
  });

  it('is refused in a link, a pipe and an empty file, and none of them is waited for', async () => {
    await readOrCreatePepper(folder);
    await rename(path, `${path}.aside`);
    await symlink(`${path}.aside`, path);
    await expect(readOrCreatePepper(folder)).rejects.toThrow('ELOOP');
    await rm(path);
    spawnSync('mkfifo', ['-m', '600', path]);
    await expect(readOrCreatePepper(folder)).rejects.toThrow('no ordinary file');
    await rm(path);
    await writeFile(path, '', { mode: 0o600 });
    await expect(readOrCreatePepper(folder)).rejects.toThrow('holds no pepper');
  });
});
