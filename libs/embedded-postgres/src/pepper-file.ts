import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { dataFolder, explained, makeRoot } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { hasCode, readPrivateFile } from './private-files.js';

/** Characters below which a file holds no pepper, such as one that was cut off by a full disk. */
const SHORTEST = 16;

/**
 * The pepper of the embedded database: made once, kept in the data folder in a file that only its owner
 * can read. Processes that start at the same time agree on one.
 *
 * @param dataDir the data folder; made when missing
 * @throws {EmbeddedPostgresError} `not_permitted` when the file is open to others, belongs to another user, holds no
 *   pepper, or cannot be read or written
 */
export async function readOrCreatePepper(dataDir: string): Promise<string> {
  const { root, pepper: path } = dataFolder(dataDir);
  try {
    const pepper = await readPrivateFile(path).catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      await makeRoot(root);
      await createPepper(path);
      return readPrivateFile(path);
    });
    if (pepper.length >= SHORTEST) return pepper;
  } catch (error) {
    throw explained(root, error);
  }
  throw new EmbeddedPostgresError(
    'not_permitted',
    `The file ${path} holds no pepper. Bring it back from a backup: without it no key is accepted any more. ` +
      'If there are no keys yet, remove it.',
  );
}

async function createPepper(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
    // A link appears whole or not at all, and never in the place of a file that is there.
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}
