import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Made by tools, or not ours. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'coverage']);

/** Paths of all files of this name, from the root of the workspace; hidden folders are not looked into. */
export function workspaceFiles(name: string, folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name === name ? [path] : [];
    const isLookedInto = entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name);
    return isLookedInto ? workspaceFiles(name, path) : [];
  });
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function absolute(path: string): string {
  return join(ROOT, path);
}
