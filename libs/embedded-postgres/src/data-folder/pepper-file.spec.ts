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
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PepperFileError, readOrCreatePepper } from './pepper-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pepper-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('readOrCreatePepper', () => {
  it('makes a pepper of 256 bits that only its owner can read, and finds it again', async () => {
    const pepper = await readOrCreatePepper(folder);
    expect(Buffer.from(pepper, 'base64url')).toHaveLength(32);
    const { mode } = await stat(join(folder, 'pepper'));
    expect(mode & 0o777).toBe(0o600);
    expect(await readOrCreatePepper(folder)).toBe(pepper);
  });

  it('makes the folder when there is none', async () => {
    const pepper = await readOrCreatePepper(join(folder, 'a'));
    expect(await readFile(join(folder, 'a', 'pepper'), 'utf8')).toBe(pepper);
  });

  it('gives one pepper to all who ask at the same time, and leaves nothing else behind', async () => {
    const peppers = await Promise.all(Array.from({ length: 50 }, () => readOrCreatePepper(folder)));
    expect(new Set(peppers).size).toBe(1);
    expect(await readdir(folder)).toEqual(['pepper']);
  });

  it('never makes another one in the place of a file that cannot be read', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    await expect(readOrCreatePepper(folder)).rejects.toThrow('ENOTDIR');
  });

  it.each([0o640, 0o604, 0o660, 0o666])(
    'refuses a file that others can use (%o), with what to do',
    async (mode) => {
      const pepper = await readOrCreatePepper(folder);
      const path = join(folder, 'pepper');
      await chmod(path, mode);
      const refusal = readOrCreatePepper(folder);
      await expect(refusal).rejects.toBeInstanceOf(PepperFileError);
      await expect(refusal).rejects.toThrow(`(mode 0${mode.toString(8)}). Close it with: chmod 0600 ${path}`);
      await expect(refusal).rejects.not.toThrow(pepper);
      await chmod(path, 0o600);
      expect(await readOrCreatePepper(folder)).toBe(pepper);
    },
  );

  (process.getuid?.() === 0 ? it : it.skip)('refuses a file of another user', async () => {
    await readOrCreatePepper(folder);
    await chown(join(folder, 'pepper'), 12_345, 12_345);
    await expect(readOrCreatePepper(folder)).rejects.toThrow(
      /belongs to the user with the id 12345.*chown 0 /,
    );
  });

  it('refuses a link, a pipe and a file without a pepper, and waits for none of them', async () => {
    await readOrCreatePepper(folder);
    const path = join(folder, 'pepper');
    await rename(path, `${path}.aside`);
    await symlink(`${path}.aside`, path);
    await expect(readOrCreatePepper(folder)).rejects.toThrow('is a link');
    await rm(path);
    spawnSync('mkfifo', ['-m', '600', path]);
    await expect(readOrCreatePepper(folder)).rejects.toThrow('is no ordinary file');
    await rm(path);
    await writeFile(path, '', { mode: 0o600 });
    await expect(readOrCreatePepper(folder)).rejects.toThrow('holds no pepper');
  });

  it.each(['/proc/x', '/proc/x/y'])('says at once that it cannot be in %s', async (path) => {
    await expect(readOrCreatePepper(path)).rejects.toThrow('ENOENT');
  });
});
