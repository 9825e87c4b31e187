import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { connectionsWithin, openFileLimit } from './open-file-limit.js';

describe('the limit of open files', () => {
  it('is the one of this process', () => {
    const shown = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
    expect(openFileLimit()).toBe(shown === 'unlimited' ? Infinity : Number(shown));
  });

  it.each([
    [256, 10_000, 128],
    [1_024, 10_000, 512],
    [4_096, 10_000, 3_584],
    [10_511, 10_000, 9_999],
    [10_512, 10_000, 10_000],
    [256, 100, 100],
    [Infinity, 10_000, 10_000],
  ])('of %d leaves of %d connections %d', (limit, maxConnections, expected) => {
    expect(connectionsWithin(limit, { maxConnections })).toBe(expected);
  });
});
