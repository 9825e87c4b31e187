import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/internals.md'), 'utf8');
const catalog = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8');

interface Row {
  readonly of: string;
  readonly version: string;
  readonly project: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** What stands in backticks in a cell. */
const names = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const rows: Row[] = (/<!-{2} internals -->([^]*)<!-{2} \/internals -->/.exec(page)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, of, version = '', , project, file, , test]) => ({
    of: names(of)[0] ?? '',
    version,
    project: names(project)[0] ?? '',
    files: names(file),
    tests: names(test),
  }));

/** Names of all files of a project that are its own. */
function filesOf(project: string): string[] {
  return ['src', 'assets', 'test'].flatMap((folder) => {
    try {
      return readdirSync(join(ROOT, project, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        basename(path),
      );
    } catch {
      return [];
    }
  });
}

describe('docs/internals.md', () => {
  it('has rows, each with a file and a test', () => {
    expect(rows.length).toBeGreaterThan(5);
    for (const { files, tests } of rows) expect([files.length, tests.length]).not.toContain(0);
  });

  it.each(rows)('names files and tests that are there: $of, $files', ({ project, files, tests }) => {
    expect(filesOf(project)).toEqual(expect.arrayContaining([...files]));
    // What only the whole service shows is tested there.
    expect([...filesOf(project), ...filesOf('apps/api')]).toEqual(expect.arrayContaining([...tests]));
  });

  it.each(rows.filter(({ of }) => of !== 'node'))(
    'was looked at with the installed version: $of $version',
    ({ of, version }) => {
      const installed = new RegExp(`^  '?${of.replace('/', '\\/')}'?: (\\S+)$`, 'm').exec(catalog)?.[1];
      expect(version).toBe(installed);
    },
  );
});
