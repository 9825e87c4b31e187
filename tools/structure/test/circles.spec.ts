import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesIn } from '../circles.mjs';
import { projectsOf } from '../projects.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let folder = '';
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** @param files what each file imports, by its path */
function circlesAmong(files: Readonly<Record<string, readonly string[]>>): string[] {
  folder = mkdtempSync(join(tmpdir(), 'petstore-circles-'));
  for (const [file, statements] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), statements.join('\n'));
  }
  return circlesIn(folder);
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

it.each(projectsOf(ROOT))('%s has no circle among its files and folders', (project) => {
  expect(circlesIn(join(ROOT, project))).toEqual([]);
});
