import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { BootstrapError, root, runPackage } from './process.mjs';

/** Says from which files `dist` folders were built. */
const stamp = join(root, '.cache/built');

/**
 * Builds the programs and their libs, unless nothing has changed since that was done: looking takes milliseconds.
 *
 * One compiler goes along the references of the programs, as in the image, and writes what Nx would with a
 * compiler for each project, in 17 seconds of CPU instead of 44.
 */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock(async () => {
    const sources = fingerprint();
    if (isBuilt(sources)) return;
    console.error('Building.');
    const projects = ['apps/api', 'apps/operator-cli'];
    const { code, text } = await runPackage('typescript/bin/tsc', ['-b', ...projects], { output: 'kept' });
    if (code !== 0) throw new BootstrapError(`${text}\nThe build failed: see above.`);
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stamp, sources);
  });
}

function isBuilt(sources = fingerprint()) {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) return false;
  return projects().every((project) => existsSync(join(root, project, 'dist/.tsbuildinfo')));
}

/** Names, sizes and times of everything that a build reads. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const name of ['pnpm-lock.yaml', 'tsconfig.base.json', 'nx.json']) add(name);
  for (const project of projects()) {
    add(join(project, 'package.json'));
    add(join(project, 'tsconfig.json'));
    for (const entry of readdirSync(join(root, project, 'src'), { recursive: true }).sort()) {
      if (entry.endsWith('.ts') && !entry.endsWith('.spec.ts')) add(join(project, 'src', entry));
    }
  }
  return hash.digest('hex');
}

/** All but the client, which no program here uses. */
function projects() {
  return ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(group, name))
      .filter(
        (project) => project !== join('libs', 'client') && existsSync(join(root, project, 'package.json')),
      ),
  );
}
