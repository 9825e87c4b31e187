import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { packageManager } from './bootstrap/install.mjs';
import { BootstrapError, root, runNpm } from './bootstrap/process.mjs';

/**
 * Packs every published lib, that is each one that is not private, as it is built: pnpm writes the versions of the workspace and
 * of its catalog, which npm pack leaves as they are.
 *
 * @param {string} folder made when missing; relative to the workspace
 * @returns {Promise<string[]>} the packages, `petstore-client-1.0.0.tgz`, by their paths
 */
export async function packLibs(folder) {
  const target = resolve(root, folder);
  mkdirSync(target, { recursive: true });
  const libs = readdirSync(join(root, 'libs')).filter((lib) => manifestOf(lib).private !== true);
  const filters = libs.flatMap((lib) => ['--filter', `{libs/${lib}}`]);
  const words = [
    '--prefer-offline',
    '-y',
    packageManager().spec,
    ...filters,
    'pack',
    '--pack-destination',
    target,
  ];
  const { code, text } = await runNpm('npx', words, { output: 'kept', waitsFor: 'the packages of the libs' });
  if (code !== 0) throw new BootstrapError(`${text}\nThe libs could not be packed: see above.`);
  return libs.map((lib) => join(target, `petstore-${lib}-${manifestOf(lib).version}.tgz`));
}

const manifestOf = (lib) => JSON.parse(readFileSync(join(root, 'libs', lib, 'package.json'), 'utf8'));

/** `npm run pack`, after a build: says how the packages are installed. */
export async function pack([folder = 'packages', ...more]) {
  if (more.length > 0) throw new BootstrapError('usage: npm run pack -- [folder]');
  const packages = await packLibs(folder);
  for (const path of packages) console.log(relative(root, path));
  console.log('Install them in another project with npm install and their paths.');
}
