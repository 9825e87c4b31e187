import { describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { connectionsWithin, openFileLimit } from './process-limits.js';

describe('the growth of the heap', () => {
  /** 50 MB that stay. After a collection V8 says how large the heap may become before the next one. */
  const PROGRAM = `
    const { setFlagsFromString } = require('node:v8');
    const stay = Array.from({ length: 400_000 }, (_, i) => ({ i, more: [i, i, i] }));
    setFlagsFromString(process.argv[1]);
    setFlagsFromString('--trace-gc-verbose');
    gc();
    console.log(stay.length);
  `;

  /** @returns by how much the heap may grow, as a multiple of what it is */
  async function growthWith(flag: string): Promise<number> {
    const words = ['--expose-gc', '--eval', PROGRAM, '--', flag];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const [, size, limit] = /Limit: old size: (\d+) KB, new limit: (\d+) KB/.exec(stdout) ?? [];
    return Number(limit) / Number(size) - 1;
  }

  it('of a running process is what the flag says that the service sets', async () => {
    // The space for new objects, up to 40 MB, comes on top.
    expect(await growthWith('--heap-growing-percent=10')).toBeLessThan(1);
    const growth = await growthWith('--heap-growing-percent=100');
    expect(growth).toBeGreaterThanOrEqual(1);
    expect(growth).toBeLessThan(2);
  });
});

describe('the limit of open files', () => {
  it('is the one of this process', () => {
    const shown = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
    expect(openFileLimit()).toBe(shown === 'unlimited' ? Infinity : Number(shown));
  });

  it.each([
    [256, 10_000, 128],
    [1_024, 10_000, 512],
    [4_096, 10_000, 3_328],
    [10_767, 10_000, 9_999],
    [10_768, 10_000, 10_000],
    [256, 100, 100],
    [Infinity, 10_000, 10_000],
  ])('of %d leaves of %d connections %d', (limit, maxConnections, expected) => {
    expect(connectionsWithin(limit, { maxConnections })).toBe(expected);
  });
});
