import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { packageManagerOf } from './package-manager.mjs';
import { BootstrapError, root, runNpm } from './process.mjs';

/** Says which lockfile the installed packages came from; it goes when they go. */
const stamp = join(root, 'node_modules/.petstore-installed');

/** Installs the packages of the lockfile, exactly, unless that has been done. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    console.error('Installing the packages of the lockfile: half a minute the first time.');
    // CI: pnpm asks nothing. Output is kept: standard output belongs to the program that is started next.
    const env = { CI: 'true', npm_config_loglevel: 'error', ...usableHome() };
    const { spec, integrity } = packageManagerOf(readFileSync(join(root, 'package.json'), 'utf8'));
    await verify(spec, integrity, env);
    const args = ['-y', spec, 'install', '--frozen-lockfile'];
    const { code, text } = await runNpm('npx', args, { env, output: 'kept' });
    if (code !== 0) throw new BootstrapError(`${text}\nThe packages could not be installed: see above.`);
    writeFileSync(stamp, lockfile());
  });
}

/**
 * Looks whether the registry has the package manager that package.json names. npm then compares what it downloads
 * with the checksum that the registry gave; pnpm's binary, a package of its own, is held to the registry's alone.
 */
async function verify(spec, integrity, env) {
  const args = ['view', '--prefer-offline', spec, 'dist.integrity'];
  const { code, text } = await runNpm('npm', args, { env, output: 'kept' });
  if (code !== 0) throw new BootstrapError(`${text}\nThe registry does not say what ${spec} is: see above.`);
  if (text.trim() !== integrity)
    throw new BootstrapError(`The registry's ${spec} is not the one of package.json: ${text.trim()}`);
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
