import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { BootstrapError, root, runNpm } from './process.mjs';
import { wayToRegistry } from './registry.mjs';

/** Holds the set of packages that is installed and the lockfile it came from; removed with the packages. */
const STAMP = join(root, 'node_modules/.petstore-installed');

/** `pnpm@12.21.0+sha512.<128 hexadecimal digits>`, as package managers write it. */
const PACKAGE_MANAGER = /^(pnpm@\d+\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/;

/** Only along `dependencies`: tests bring a browser. */
const neededBy = (...projects) => ['--prod', ...projects.map((name) => `--filter-prod=${name}`)];
const PROGRAMS = ['@petstore/api...', '@petstore/operator-cli...'];

/** Arguments of `pnpm install`: the programs need neither tests, linters, generators nor a browser. */
const SETS = {
  programs: neededBy(...PROGRAMS, '@petstore/bundle', '@petstore/guide'),
  /** What is left in the image once the programs are bundled: no embedded PostgreSQL. */
  image: [...neededBy(...PROGRAMS), '--no-optional'],
  all: [],
};

/** The names of {@link SETS}. */
export const INSTALLED_SETS = Object.keys(SETS);

/**
 * Installs the packages of the lockfile, exactly, unless that has been done.
 *
 * @param {keyof typeof SETS} wanted
 */
export async function ensureInstalled(wanted) {
  // A start after an update does not remove what the tests need.
  const set = existsSync(join(root, 'node_modules/nx')) ? 'all' : wanted;
  if (isInstalled(set)) return;
  await withLock(async () => {
    if (isInstalled(set)) return;
    console.error('Installing the packages of the lockfile.');
    // CI: pnpm asks no questions. Output is kept: standard output belongs to the program that is started next.
    const env = { CI: 'true', npm_config_loglevel: 'error', ...usableHome() };
    const { spec, integrity } = packageManager();
    const way = await wayToRegistry(env);
    await verify(spec, integrity, env, way);
    const args = ['-y', spec, ...way.args, 'install', '--frozen-lockfile', ...SETS[set]];
    const { code, text } = await runNpm('npx', args, {
      env: { ...env, ...way.env },
      output: 'kept',
      waitsFor: `the packages from ${way.registry}`,
    });
    if (code !== 0) throw new BootstrapError(`${text}\nThe packages could not be installed: see above.`);
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(STAMP, stampOf(set));
  });
}

/** The package manager that package.json asks for, as npx takes it, and the checksum of its package as npm writes it. */
export function packageManager() {
  const { packageManager: wanted } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, spec, hash] = PACKAGE_MANAGER.exec(wanted ?? '') ?? [];
  if (spec === undefined)
    throw new Error(`packageManager is "${wanted}": a version and its sha512 are needed.`);
  return { spec, integrity: `sha512-${Buffer.from(hash, 'hex').toString('base64')}` };
}

/**
 * Checks that the registry's package manager has the checksum that package.json names. npm then compares what it
 * downloads with the checksum of the registry; pnpm's binary, a package of its own, is held to the registry's alone.
 */
async function verify(spec, integrity, env, { registry }) {
  const args = ['view', '--prefer-offline', spec, 'dist.integrity'];
  const waitsFor = `the checksum of ${spec} from ${registry}`;
  const { code, text } = await runNpm('npm', args, { env, output: 'kept', waitsFor });
  if (code !== 0)
    throw new BootstrapError(`${text}\n${spec} could not be looked up in the registry: see above.`);
  if (text.trim() !== integrity)
    throw new BootstrapError(`The registry's ${spec} is not the one of package.json: ${text.trim()}`);
}

/** A full installation has what the programs need, too. */
function isInstalled(set) {
  try {
    return [stampOf(set), stampOf('all')].includes(readFileSync(STAMP, 'utf8'));
  } catch {
    return false;
  }
}

function stampOf(set) {
  const hash = createHash('sha256');
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)));
  // Packages with binaries differ by system.
  return `${set} ${hash.update(`${process.platform}-${process.arch}`).digest('hex')}`;
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
