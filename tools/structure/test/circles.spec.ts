import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesIn } from '../circles.mjs';
import { projectsOf } from '../projects.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Files that put the parts of their project together. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'apps/api': ['src/configuration/configuration.ts'],
  'libs/persistence': [
    'src/retention/retention-rules.ts',
    'src/schema/entities.ts',
    'src/unit-of-work/transaction.ts',
  ],
  'libs/rate-limit': ['src/limiter/create-rate-limiter.ts'],
};

/** @param files what each file imports, by its path */
function circlesAmong(
  files: Readonly<Record<string, readonly string[]>>,
  togetherIn: readonly string[] = [],
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-circles-'));
  try {
    for (const [file, statements] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), statements.join('\n'));
    }
    return circlesIn(folder, togetherIn);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('circlesIn', () => {
  it('finds a circle of files', () => {
    expect(
      circlesAmong({
        'a.ts': ["import './b.js';"],
        'b.ts': ["import './c.js';"],
        'c.ts': ["import './a.js';"],
      }),
    ).toEqual(['.: a.ts -> b.ts -> c.ts -> a.ts (a.ts imports b.ts, b.ts imports c.ts, c.ts imports a.ts)']);
  });

  it('counts imports of types, re-exports, imports at run time, and JavaScript', () => {
    for (const statement of [
      "import type { B } from './b.js';",
      "import { type B } from './b.js';",
      "export * from './b.js';",
      "const b = await import('./b.js');",
    ])
      expect(circlesAmong({ 'a.ts': [statement], 'b.ts': ["import './a.js';"] })).toHaveLength(1);
    expect(circlesAmong({ 'a.mjs': ["import './b.mjs';"], 'b.mjs': ["import './a.mjs';"] })).toHaveLength(1);
  });

  it('finds a circle of folders among whose files there is none', () => {
    expect(
      circlesAmong({
        'src/a/one.ts': ["import '../b/one.js';"],
        'src/a/two.ts': [],
        'src/b/one.ts': [],
        'src/b/deep/two.ts': ["import '../../a/two.js';"],
      }),
    ).toEqual(['src: a/ -> b/ -> a/ (a/one.ts imports b/one.ts, b/deep/two.ts imports a/two.ts)']);
  });

  it('finds a folder and a file beside it that need each other', () => {
    expect(circlesAmong({ 'a.ts': ["import './part/b.js';"], 'part/b.ts': ["import '../a.js';"] })).toEqual([
      '.: a.ts -> part/ -> a.ts (a.ts imports part/b.ts, part/b.ts imports a.ts)',
    ]);
  });

  it('lets a folder stand between two files', () => {
    expect(
      circlesAmong({ 'a.ts': ["import './part/b.js';"], 'part/b.ts': ["import '../c.js';"], 'c.ts': [] }),
    ).toEqual([]);
  });

  it('leaves out tests, which nobody imports', () => {
    expect(
      circlesAmong({
        'a/x.spec.ts': ["import '../b/y.js';"],
        'a/x.ts': [],
        'b/y.ts': ["import '../a/x.js';"],
      }),
    ).toEqual([]);
  });
});

it('leaves out what is imported by a file that puts parts together', () => {
  expect(circlesAmong({ 'a.ts': ["import './b.js';"], 'b.ts': ["import './a.js';"] }, ['a.ts'])).toEqual([]);
});

it.each(projectsOf(ROOT))('%s has no circle among its files and folders', (project) => {
  expect(circlesIn(join(ROOT, project), TOGETHER[project])).toEqual([]);
});
