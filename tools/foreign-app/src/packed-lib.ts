import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './command.js';
import { allows, flawOf, type Manifest, manifestIn } from './manifest.js';

export const WORKSPACE = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Packs a built lib of the workspace, and installs the package into a folder as npm would, with what it depends on; libs
 * of ours that it depends on are packed, too. Packages of others are linked from the workspace instead of downloaded, and
 * only those that the packed manifest names, so that an import that it does not name fails.
 *
 * @param lib its folder in the workspace: `libs/rate-limit`
 * @returns the packed manifests of the lib and of those that came with it
 * @throws Error for a manifest that would not work elsewhere
 */
export async function installPacked(lib: string, into: string): Promise<readonly Manifest[]> {
  const source = join(WORKSPACE, lib);
  const written = await manifestIn(source);
  const target = join(into, 'node_modules', written.name);
  await unpack(source, target);
  const packed = await manifestIn(target);
  const flaw = flawOf(packed);
  if (flaw !== undefined) throw new Error(flaw);
  const installed = [packed];
  for (const [name, version] of Object.entries(packed.dependencies ?? {})) {
    const isOurs = written.dependencies?.[name]?.startsWith('workspace:') === true;
    if (isOurs) installed.push(...(await installPacked(`libs/${name.replace(/^.*\//, '')}`, into)));
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

async function unpack(source: string, target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-packed-'));
  try {
    const { packageManager = 'pnpm' } = await manifestIn(WORKSPACE);
    const [manager = ''] = packageManager.split('+');
    // pnpm writes the versions of the workspace and of its catalog into the manifest that it packs.
    const pack = ['--prefer-offline', '-y', manager, 'pack', '--pack-destination', folder];
    await runCommand('npx', pack, source);
    const [tarball = ''] = await readdir(folder);
    await mkdir(target, { recursive: true });
    await runCommand('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1'], folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
