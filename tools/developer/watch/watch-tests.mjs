import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../bootstrap/build.mjs';
import { root, run } from '../../bootstrap/process.mjs';
import { Project } from './project.mjs';

/**
 * Runs the tests of one project that a change since the last commit concerns, and again after each save. Nothing is
 * built, unless the project's tests run built programs.
 *
 * @param args name of the project, and arguments for jest: a part of a spec's path, `--watchAll`, `-t name`
 * @returns jest's exit code
 */
export async function watchTests([name = '', ...args]) {
  const project = Project.find(name);
  if (project.testsNeedBuild) await ensureBuilt();
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  // Only version control knows what has changed.
  const mode = existsSync(join(root, '.git')) ? '--watch' : '--watchAll';
  // Last: jest takes every word after one of them for another folder.
  const roots = project.sources.flatMap((folder) => ['--roots', folder]);
  const { code } = await run(
    process.execPath,
    ['--experimental-vm-modules', '--no-warnings', jest, mode, ...args, ...roots],
    { cwd: project.path, input: 'inherit' },
  );
  return code;
}
