import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nx } from './nx.mjs';
import { BootstrapError, root, run } from './process.mjs';

const GROUPS = ['apps', 'libs', 'tools'];

/**
 * Everything that a change must pass. Nx begins with dependencies: `check-all` is lint, types and the form of files,
 * `long-tests` the projects that take longest, so that no long task is left for the end.
 */
const TARGETS = ['check-all', 'long-tests', 'test'];

/** Runs all checks; the last line counts the tests, cached results included. Returns 0 only if everything passed. */
export async function test(args) {
  for (const file of tallies()) rmSync(file, { force: true });
  const code = await nx(['run-many', '-t', ...TARGETS, ...args]);
  const counts = tallies().map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  // A failed check or build counts as one.
  console.log(`${passed} passed, ${Math.max(failed, code === 0 ? 0 : 1)} failed`);
  return code === 0 && failed === 0 ? 0 : 1;
}

/** What tools/jest-tally.mjs wrote, by project and shard. */
function tallies() {
  return GROUPS.flatMap((group) =>
    readdirSync(join(root, group)).flatMap((project) => {
      const folder = join(root, group, project, '.cache');
      const files = existsSync(folder) ? readdirSync(folder) : [];
      return files.filter((file) => /^tests[\w-]*\.json$/.test(file)).map((file) => join(folder, file));
    }),
  );
}

/** `npm run test:watch -- pet-domain src/int64`: jest's watch mode for one project, with further arguments of jest. */
export async function watchTests([name = '', ...args]) {
  const short = name.replace(/^(@petstore|libs|apps|tools)\//, '');
  const folder = GROUPS.map((group) => join(root, group, short)).find((path) =>
    existsSync(join(path, 'jest.config.mjs')),
  );
  if (short === '' || folder === undefined) throw new BootstrapError(`There is no project "${name}".`);
  return jest(['--watch', ...args], { cwd: folder, input: 'inherit' });
}

/** `npm run coverage`: how much of each lib, or of given projects, is executed by tests in jest's own process. */
export async function coverage(names) {
  const built = await nx(['run-many', '-t', 'build']);
  if (built !== 0) return built;
  const folders = names.length > 0 ? names : readdirSync(join(root, 'libs')).map((name) => `libs/${name}`);
  const options = [
    '--coverage',
    '--coverageProvider=v8',
    '--coverageReporters=text',
    '--coverageDirectory=.cache/coverage',
    '--silent',
  ];
  return jest(['--projects', ...folders, ...options]);
}

async function jest(args, options) {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const node = ['--experimental-vm-modules', '--no-warnings', program];
  return (await run(process.execPath, [...node, ...args], options)).code;
}
