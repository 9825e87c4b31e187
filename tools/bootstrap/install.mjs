import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { BootstrapError, root, run } from './process.mjs';

/** Says which lockfile the installed packages came from; it goes when they go. */
const stamp = join(root, 'node_modules/.petstore-installed');

/** Installs the packages of the lockfile, exactly, unless that has been done. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    console.error('Installing the packages of the lockfile: half a minute the first time.');
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const args = ['-y', packageManager, 'install', '--frozen-lockfile'];
    // CI: pnpm asks nothing. Output is kept: standard output belongs to the program that is started next.
    const env = { CI: 'true', npm_config_loglevel: 'error', ...usableHome() };
    const { code, text } = await run('npx', args, { env, output: 'kept' });
    if (code !== 0) throw new BootstrapError(`${text}\nThe packages could not be installed: see above.`);
    writeFileSync(stamp, lockfile());
  });
}

function isInstalled() {
  try {
    return readFileSync(stamp, 'utf8') === lockfile();
  } catch {
    return false;
  }
}

function lockfile() {
  const hash = createHash('sha256');
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)));
  // Packages with binaries differ by system.
  return hash.update(`${process.platform}-${process.arch}`).digest('hex');
}

/** npm and pnpm keep caches in the home folder; a user without a usable one gets one in the workspace. */
function usableHome() {
  try {
    accessSync(homedir(), constants.W_OK | constants.X_OK);
    return {};
  } catch {
    const home = join(root, '.cache/home');
    mkdirSync(home, { recursive: true });
    return { HOME: home };
  }
}
