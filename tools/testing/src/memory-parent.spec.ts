import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { parentInMemory } from './memory-parent.js';

/** Stands for the file system in memory. */
let memory: string;
beforeEach(async () => {
  memory = await mkdtemp(join(tmpdir(), 'petstore-memory-'));
});
afterEach(() => rm(memory, { recursive: true }));

it('is the file system in memory where there is room', async () => {
  expect(await parentInMemory(memory, 1)).toBe(memory);
});

it('is the temporary folder of the system where that is too small', async () => {
  expect(await parentInMemory(memory, Infinity)).toBe(tmpdir());
});

it('is the temporary folder of the system where that is missing', async () => {
  expect(await parentInMemory(join(memory, 'missing'), 1)).toBe(tmpdir());
});

// Root may write to every folder.
(process.getuid?.() === 0 ? it.skip : it)(
  'is the temporary folder of the system where that cannot be written to',
  async () => {
    await chmod(memory, 0o500);
    expect(await parentInMemory(memory, 1)).toBe(tmpdir());
  },
);
