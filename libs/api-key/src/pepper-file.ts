import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'pepper';

/**
 * The pepper of the embedded database: made once, kept in the data folder in a file that only its owner
 * can read. Processes that start at the same time agree on one.
 *
 * @param dataDir the data folder; made when missing
 * @throws the file system's error when the folder cannot be read or written
 */
export async function readOrCreatePepper(dataDir: string): Promise<string> {
  const path = join(dataDir, NAME);
  const kept = await readPepper(path);
  if (kept !== undefined) return kept;
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(32).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
    // A link appears whole or not at all, and never in the place of a file that is there.
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}

async function readPepper(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
