import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own `recursive` never returns where a folder says of its children that
 * there is no such file, as `/proc` does.
 *
 * @param path absolute
 * @param mode of the folder itself, less the umask
 * @throws the file system's error, `ENOTDIR` when something else is there
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const missing = await makeOne(path, mode);
  if (missing === undefined) return;
  const above = dirname(path);
  if (above === path) throw missing;
  await makeFolder(above);
  const still = await makeOne(path, mode);
  if (still !== undefined) throw still;
}

/** The error when the folder above is missing. */
async function makeOne(path: string, mode: number): Promise<Error | undefined> {
  try {
    await mkdir(path, mode);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return error as Error;
    if (code !== 'EEXIST') throw error;
    if ((await stat(path)).isDirectory()) return undefined;
    throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
  }
}
