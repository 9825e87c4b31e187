import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.js';
import { allows, flawOf, type Manifest, manifestIn } from './manifest.js';

export const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Packs built libs of the workspace, and installs the packages into a folder as npm would, with what they depend on; libs
 * of ours that they depend on are packed, too. Packages of others are linked from the workspace instead of downloaded, and
 * only those that the packed manifest names, so that an import that it does not name fails.
 *
 * @param libs their folders in the workspace: `libs/rate-limit`
 * @returns the packed manifests of the libs and of those that came with them
 * @throws Error for a manifest that would not work elsewhere
 */
export async function installPacked(libs: readonly string[], into: string): Promise<readonly Manifest[]> {
  if (libs.length === 0) return [];
  const packages = await mkdtemp(join(tmpdir(), 'petstore-packed-'));
  try {
    await pack(libs, packages);
    return (await Promise.all(libs.map((lib) => install(lib, packages, into)))).flat();
  } finally {
    await rm(packages, { recursive: true });
  }
}

/** Packs libs and those of ours that they depend on, all at once: starting the package manager takes longest. */
async function pack(libs: readonly string[], packages: string): Promise<void> {
  const { packageManager = 'pnpm' } = await manifestIn(WORKSPACE);
  const [manager = ''] = packageManager.split('+');
  const filters = libs.flatMap((lib) => ['--filter-prod', `{${lib}}...`]);
  // pnpm writes the versions of the workspace and of its catalog into the manifest that it packs.
  const words = ['--prefer-offline', '-y', manager, ...filters, 'pack', '--pack-destination', packages];
  await runCommand('npx', words, WORKSPACE);
}

async function install(lib: string, packages: string, into: string): Promise<readonly Manifest[]> {
  const source = join(WORKSPACE, lib);
  const written = await manifestIn(source);
  const target = join(into, 'node_modules', written.name);
  await mkdir(target, { recursive: true });
  const tarball = join(packages, `${written.name.replace('@', '').replace('/', '-')}-${written.version}.tgz`);
  await runCommand('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], packages);
  const packed = await manifestIn(target);
  const flaw = flawOf(packed);
  if (flaw !== undefined) throw new Error(flaw);
  const installed = [packed];
  for (const [name, version] of Object.entries(packed.dependencies ?? {})) {
    const isOurs = written.dependencies?.[name]?.startsWith('workspace:') === true;
    if (isOurs) installed.push(...(await install(`libs/${name.replace(/^.*\//, '')}`, packages, into)));
    else await link(join(source, 'node_modules', name), join(target, 'node_modules', name), version);
  }
  return installed;
}

/**
 * Links a package of the workspace into another `node_modules`.
 *
 * @param range exact or with a caret; any version without one
 * @throws Error when it is there in a version that `range` does not allow
 */
export async function link(source: string, target: string, range?: string): Promise<void> {
  const { name, version } = await manifestIn(source);
  if (range !== undefined && !allows(range, version)) {
    throw new Error(`${name} is there as ${version}, and needed as ${range}.`);
  }
  await mkdir(dirname(target), { recursive: true });
  await symlink(source, target);
}
