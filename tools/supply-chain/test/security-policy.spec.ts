import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { namedFiles } from '../src/named-files.js';
import { absolute, read } from './workspace-files.js';

const POLICY = read('SECURITY.md');

describe('SECURITY.md', () => {
  it('names only files that exist', () => {
    const named = namedFiles(POLICY);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(absolute(path)))).toEqual([]);
  });

  it('names a test for each promise', () => {
    const rows = POLICY.split('\n').filter((line) => /^\| .* \|$/.test(line));
    const promises = rows.filter((line) => line.split(' | ').length === 3 && !/^\| (?:attack|-)/.test(line));
    expect(promises.length).toBeGreaterThan(20);
    for (const row of promises) {
      const [, , test = ''] = row.split(' | ');
      expect(namedFiles(test).filter((path) => /\.spec\.ts$|\/test$/.test(path))).not.toEqual([]);
    }
  });
});

describe('namedFiles', () => {
  it('finds paths of the workspace in code, each once, and nothing else', () => {
    const text =
      'Run `npm test`, see `apps/a/x.spec.ts`, `deploy/` and `apps/a/x.spec.ts`; `/v1`, libs/b/y.ts.';
    expect(namedFiles(text)).toEqual(['apps/a/x.spec.ts', 'deploy/']);
  });
});
