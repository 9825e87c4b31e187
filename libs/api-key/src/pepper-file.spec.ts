import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readOrCreatePepper } from './pepper-file.js';

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
    const pepper = await readOrCreatePepper(join(folder, 'a', 'b'));
    expect(await readFile(join(folder, 'a', 'b', 'pepper'), 'utf8')).toBe(pepper);
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
});
