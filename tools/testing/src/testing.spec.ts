import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parentInMemory } from './memory-parent.js';
import { waitFor } from './wait-for.js';

describe('the parent of temporary folders', () => {
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
});

describe('waitFor', () => {
  it('returns the first value of the condition that is neither false nor undefined', async () => {
    const values = [false, undefined, 0, 1];
    expect(await waitFor(() => values.shift())).toBe(0);
    expect(await waitFor(() => Promise.resolve('now'))).toBe('now');
  });

  it('fails with the condition when it does not hold in time', async () => {
    const isThere = (): boolean => false;
    await expect(waitFor(isThere, 20)).rejects.toThrow('Not within 20 ms: ()=>false');
  });

  it('fails with the error of the condition', async () => {
    await expect(waitFor(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});
