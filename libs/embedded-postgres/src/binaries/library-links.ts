import { mkdir, readlink, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { LibraryLink } from './platform-package.js';

/**
 * Links every shared library under the name that the binaries ask for, in a folder of ours.
 *
 * An npm archive carries no symbolic links, and the package's install script, which would make them, is
 * not run. They are not made inside node_modules: that may be read-only or shared between users.
 * Running this twice at once, or again after the project moved, leaves the same links.
 */
export async function linkLibraries(folder: string, links: readonly LibraryLink[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(links.map((link) => linkOne(folder, link)));
}

async function linkOne(folder: string, { name, file }: LibraryLink): Promise<void> {
  const path = join(folder, name);
  if ((await readlink(path).catch(() => undefined)) === file) return;
  const fresh = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await symlink(file, fresh);
  await rename(fresh, path);
}

/** The variables through which the dynamic loader finds the links (Linux, macOS). */
export function loaderEnvironment(folder: string): Record<string, string> {
  return { LD_LIBRARY_PATH: folder, DYLD_LIBRARY_PATH: folder };
}
