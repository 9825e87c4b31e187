import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WorkspaceCopy } from '@petstore/workspace-copy';
import { Project } from '../watch/project.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TIMEOUT_MS = 120_000;

describe('a project', () => {
  it.each(['pet-domain', '@petstore/pet-domain', 'libs/pet-domain'])('is found by the name %s', (name) => {
    expect(Project.find(name).path).toMatch(/\/libs\/pet-domain$/);
  });

  it.each(['', 'nothing', 'workspace-copy'])('is not found by the name "%s"', (name) => {
    expect(() => Project.find(name)).toThrow(/There is no project ".*"; there are .*pet-domain/);
  });

  it('says whether its tests need a build', () => {
    expect(Project.find('pet-domain').testsNeedBuild).toBe(false);
    expect(Project.find('persistence').testsNeedBuild).toBe(false);
    expect(Project.find('api').testsNeedBuild).toBe(true);
    expect(Project.find('operator-cli').testsNeedBuild).toBe(true);
  });

  it('is watched with the sources that it imports, directly or not', () => {
    const folders = Project.find('operator-cli').sources.map((path) => relative(ROOT, path));
    expect(folders[0]).toBe('apps/operator-cli');
    expect(folders).toEqual(expect.arrayContaining(['libs/persistence/src', 'libs/pet-domain/src']));
    expect(Project.find('configuration').sources).toHaveLength(1);
  });
});

it(
  'runs the tests of a project again after a save, and not because of what the run wrote',
  async () => {
    const workspace = await WorkspaceCopy.create({ code: 'all' });
    const watch = workspace.start(['tools/run.mjs', 'test:watch', 'pet-domain', 'src/int64']);
    try {
      let runs = 0;
      watch.stderr?.setEncoding('utf8').on('data', (text: string) => {
        runs += text.split('Ran all test suites').length - 1;
      });
      const until = async (count: number): Promise<void> => {
        while (runs < count) await sleep(50);
      };
      await until(1);
      await sleep(1_000);
      expect(runs).toBe(1);
      const file = 'libs/pet-domain/src/int64.ts';
      await workspace.write(file, `${await workspace.read(file)}\n// saved\n`);
      await until(2);
    } finally {
      watch.kill('SIGTERM');
      await once(watch, 'exit');
      await workspace.remove();
    }
  },
  TIMEOUT_MS,
);
