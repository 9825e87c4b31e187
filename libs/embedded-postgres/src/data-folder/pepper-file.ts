import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  currentUser,
  formatMode,
  isForeignOwner,
  isOpenToOthers,
  openPrivateFile,
  quoteForShell,
} from './private-file.js';

const NAME = 'pepper';

/** Characters below which a file holds no pepper, such as one that was cut off by a full disk. */
const SHORTEST = 16;

/** The file with the pepper cannot be trusted. The message says which it is and what to do about it. */
export class PepperFileError extends Error {
  override readonly name = 'PepperFileError';
}

/**
 * The pepper of the embedded database: made once, kept in the data folder in a file that only its owner
 * can read. Processes that start at the same time agree on one.
 *
 * @param dataDir the data folder; made when missing, the folder above it is not
 * @throws {PepperFileError} when the file is open to others, belongs to another user or holds no pepper
 * @throws the file system's error when the folder cannot be read or written
 */
export async function readOrCreatePepper(dataDir: string): Promise<string> {
  const path = join(dataDir, NAME);
  const kept = await readPepper(path);
  if (kept !== undefined) return kept;
  await mkdir(dataDir).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
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
  const made = await readPepper(path);
  if (made === undefined) throw new PepperFileError(`The file ${path} has been removed while it was made.`);
  return made;
}

async function readPepper(path: string): Promise<string | undefined> {
  const file = await openPrivateFile(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (hasCode(error, 'ELOOP'))
      throw new PepperFileError(`${path} is a link, and the pepper is kept there.`);
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile())
      throw new PepperFileError(`${path} is no ordinary file, and the pepper is kept there.`);
    checkOwner(path, found.uid);
    if (isOpenToOthers(found.mode)) {
      throw new PepperFileError(
        `The pepper in ${path} is open to other users (mode ${formatMode(found.mode)}). Close it with: ` +
          `chmod 0600 ${quoteForShell(path)}`,
      );
    }
    const pepper = await file.readFile('utf8');
    if (pepper.length >= SHORTEST) return pepper;
    throw new PepperFileError(
      `The file ${path} holds no pepper. Bring it back from a backup: without it no key is accepted any more. ` +
        'If there are no keys yet, remove it.',
    );
  } finally {
    await file.close();
  }
}

function checkOwner(path: string, owner: number): void {
  if (!isForeignOwner(owner)) return;
  const us = currentUser();
  throw new PepperFileError(
    `The pepper in ${path} belongs to the user with the id ${owner}, and this program runs as ${us}. Start it as ` +
      `that user, or, if you know what is in it, take it over with: chown ${us} ${quoteForShell(path)}`,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
