import { expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const POLICY = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

/** Paths of the workspace in code: `apps/api/test/x.spec.ts`, `deploy/`. */
const filesIn = (markdown: string): string[] =>
  [...markdown.matchAll(/`((?:apps|libs|tools|docs|deploy)\/[\w./*-]*)`/g)].map(([, path = '']) => path);

it('SECURITY.md names only files that exist', () => {
  expect(filesIn(POLICY).length).toBeGreaterThan(15);
  expect(filesIn(POLICY).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('SECURITY.md names a test for each guarantee', () => {
  const rows = [...POLICY.matchAll(/^\| (?!attack|-).* \| .* \| (.*) \|$/gm)].map(([, tests = '']) => tests);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((tests) => !filesIn(tests).some((path) => /\.spec\.ts$|\/test$/.test(path)))).toEqual(
    [],
  );
});
