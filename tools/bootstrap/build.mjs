import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { nx } from './nx.mjs';
import { BootstrapError, root, run } from './process.mjs';

/** Holds the fingerprint of the files from which the programs and the guide were built. */
export const BUILT = join(root, '.cache/built');

const OUTPUTS = [
  'apps/api/bundle/main.js',
  'apps/operator-cli/bundle/main.js',
  'apps/api/dist/embed',
  'apps/api/dist/pages',
];
/** What a build reads, beside `src` and the manifests of apps and libs. */
const INPUTS = [
  'pnpm-lock.yaml',
  'tools/encoded-file.mjs',
  'tsconfig.base.json',
  'CHANGELOG.md',
  'docs/contract.md',
  'docs/openapi.json',
];
const INPUT_FOLDERS = [
  'tools/bundle',
  'tools/guide',
  'apps/api/assets/docs',
  'apps/api/assets/embed',
  'docs/guide',
  'docs/pictures',
];

/** Bundles the programs and renders the guide, unless nothing has changed since the last build. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock(async () => {
    const sources = fingerprint();
    if (isBuilt(sources)) return;
    console.error('Building.');
    await Promise.all([
      runBuildStep('tools/bundle/bundle.mjs', 'the bundles of the programs'),
      renderGuide(),
    ]);
    writeFileSync(BUILT, sources);
  });
}

/** `npm run build`: all that is compiled, bundled and rendered. What has been built so is run as it is by whoever may read it. */
export async function build(args) {
  const sources = fingerprint();
  rmSync(BUILT, { force: true });
  const code = await nx(['run-many', '-t', 'build', ...args]);
  if (code === 0) {
    mkdirSync(dirname(BUILT), { recursive: true });
    writeFileSync(BUILT, sources);
  }
  return code;
}

/** Writes what the service serves under `/docs`. */
export const renderGuide = () => runBuildStep('tools/guide/render.mjs', 'the files of the docs');

async function runBuildStep(script, waitsFor) {
  const { code, text } = await run(process.execPath, [script], { output: 'kept', waitsFor });
  if (code !== 0) throw new BootstrapError(`${text}\nThe build failed: see above.`);
}

function isBuilt(sources = fingerprint()) {
  if (!existsSync(BUILT) || readFileSync(BUILT, 'utf8') !== sources) return false;
  return OUTPUTS.every((path) => existsSync(join(root, path)));
}

/** Names and contents of all files that a build reads: a copy of a built tree, whose times are others, is built, too. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (path) => {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  };
  INPUTS.forEach(add);
  for (const folder of INPUT_FOLDERS) filesOf(folder).forEach(add);
  for (const group of ['apps', 'libs']) {
    for (const project of readdirSync(join(root, group)).sort()) {
      if (!existsSync(join(root, group, project, 'package.json'))) continue;
      add(join(group, project, 'package.json'));
      filesOf(join(group, project, 'src'), { recursive: true })
        .filter((file) => !file.endsWith('.spec.ts'))
        .forEach(add);
    }
  }
  return hash.digest('hex');
}

function filesOf(folder, options) {
  return readdirSync(join(root, folder), { ...options, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath.slice(root.length + 1), name))
    .sort();
}
