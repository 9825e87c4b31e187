import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs what a peer needs into its own folder, when it is missing or older than its lockfile, and
 * builds it where there is something to build.
 *
 * @param {import('./contenders.mjs').Contender} contender
 */
export function install({ name, folder }) {
  const lockfile = join(folder, 'package-lock.json');
  if (/"resolved":/.test(readFileSync(lockfile, 'utf8')))
    throw new Error(`The lockfile of ${name} names a host; make it with omit-lockfile-registry-resolved.`);
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) {
    process.stderr.write(`installing ${name}\n`);
    npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  }
  if ('build' in (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts ?? {}))
    npm(folder, 'run', 'build');
}

function npm(cwd, ...args) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
