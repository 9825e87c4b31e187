import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nx } from './nx.mjs';
import { root } from './process.mjs';

/**
 * All that a change must pass. Nx begins with what something depends on: `check-all` is lint, types and format,
 * `long-tests` those of the projects that take longest, so that no long task is left for the end.
 */
const TARGETS = ['check-all', 'long-tests', 'test', 'format-check', 'lint-docs'];

/**
 * Lints, type-checks and tests every project, checks the form of all files and the links of all documents, and ends
 * with one line that counts all tests, those included whose result comes from the cache. The exit code is 0 only if
 * everything passed.
 */
export async function test(args) {
  for (const file of tallies()) rmSync(file, { force: true });
  const code = await nx(['run-many', '-t', ...TARGETS, ...args]);
  let passed = 0;
  let failed = 0;
  for (const file of tallies()) {
    const tally = JSON.parse(readFileSync(file, 'utf8'));
    passed += tally.passed;
    failed += tally.failed;
  }
  // Lint, types or a build failed: that counts for nothing less than a test.
  if (code !== 0 && failed === 0) failed = 1;
  console.log(`${passed} passed, ${failed} failed`);
  // Nx has other codes for tasks that it could not run at all.
  return code === 0 && failed === 0 ? 0 : 1;
}

/** What tools/jest-tally.mjs wrote, project by project, shard by shard. */
function tallies() {
  return ['apps', 'libs', 'tools'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((project) => {
      const folder = join(root, group, project, '.cache');
      const files = existsSync(folder) ? readdirSync(folder) : [];
      return files.filter((file) => /^tests[\w-]*\.json$/.test(file)).map((file) => join(folder, file));
    }),
  );
}
