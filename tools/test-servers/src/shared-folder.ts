import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

/** Holds what is made once for this workspace. */
export const WORKSPACE_CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));

/**
 * Makes a folder that many processes use, unless it is there: in a draft beside it, which is renamed at the end, so that
 * others find a complete folder or none. Of several processes that try at the same time one wins.
 *
 * @param make fills the draft; the folder that it returns, the draft or one in it, becomes that at `path`
 */
export async function makeSharedFolder(
  path: string,
  make: (draft: string) => Promise<string>,
): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = await temporaryFolder('draft', dirname(path));
  try {
    const made = await make(draft.path);
    await rename(made, path).catch((error: unknown) => {
      // Another process was faster.
      if (!existsSync(path)) throw error;
    });
  } finally {
    await draft.remove();
  }
}
