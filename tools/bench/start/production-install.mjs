import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageManagerOf } from '../../bootstrap/package-manager.mjs';

const LEFT_OUT = new Set(['.git', '.nx', '.data', '.cache', 'bench', 'node_modules']);

/**
 * Copies the built project and installs there what production needs.
 *
 * @returns how many packages came, their size, and the development dependencies among them
 */
export function installForProduction(project, copy) {
  cpSync(project, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  const { spec } = packageManagerOf(readFileSync(join(project, 'package.json'), 'utf8'));
  execFileSync('npx', ['-y', spec, 'install', '--prod', '--frozen-lockfile'], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const store = join(copy, 'node_modules', '.pnpm');
  const installed = readdirSync(store).filter((name) => /.@\d/.test(name));
  const names = new Set(installed.map((name) => /^(.+?)@\d/.exec(name)[1].replace('+', '/')));
  const kib = Number(execFileSync('du', ['-sk', store]).toString().split('\t')[0]);
  return {
    packages: installed.length,
    mebibytes: kib / 1024,
    unwanted: [...developmentOnly(project)].filter((name) => names.has(name)),
  };
}

/** What packages of the workspace need for development and none needs to run. */
function developmentOnly(project) {
  const development = new Set();
  const needed = new Set();
  for (const folder of workspaceFolders(project)) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys(devDependencies ?? {})) development.add(name);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) needed.add(name);
  }
  for (const name of needed) development.delete(name);
  return development;
}

function workspaceFolders(project) {
  const below = ['apps', 'libs', 'tools'].flatMap((group) =>
    readdirSync(join(project, group)).map((name) => join(project, group, name)),
  );
  return [project, ...below].filter((folder) => existsSync(join(folder, 'package.json')));
}
