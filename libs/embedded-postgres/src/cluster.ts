import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, SUPERUSER } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { isAlive } from './postmaster.js';
import { hasCode } from './private-files.js';
import { giveTo, type ProcessIdentity, runAs } from './process-identity.js';

/**
 * Creates the database if there is none: UTF-8, C locale, data checksums, a random password. It is created in a draft
 * folder and renamed when complete: a killed process leaves no partial database, and of two that start together one
 * uses the other's.
 *
 * @param initdb path of the binary
 * @param durable false skips waiting for the disk: for databases that are thrown away
 * @param cancel ends initdb, removes the draft and rejects
 */
export async function ensureCluster(
  folder: DataFolder,
  initdb: string,
  identity: ProcessIdentity,
  durable: boolean,
  cancel?: AbortSignal,
): Promise<void> {
  await removeLeftovers(folder);
  if (existsSync(join(folder.data, 'PG_VERSION'))) {
    await giveTo(identity, folder.cluster);
    return;
  }
  const draft = await mkdtemp(join(folder.home, `draft-${process.pid}-`));
  try {
    await fillDraft(draft, initdb, identity, durable, cancel);
    await rename(draft, folder.cluster);
    if (durable) await syncFolder(folder.home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  }
}

async function fillDraft(
  draft: string,
  initdb: string,
  identity: ProcessIdentity,
  durable: boolean,
  cancel?: AbortSignal,
): Promise<void> {
  const password = join(draft, 'password');
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  await mkdir(join(draft, 'data'), { mode: 0o700 });
  await giveTo(identity, draft);
  const command = [
    ...[initdb, `--pgdata=${join(draft, 'data')}`, `--username=${SUPERUSER}`, `--pwfile=${password}`],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth=scram-sha-256', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ];
  await runAs(identity, command, cancel).catch((cause: unknown) => {
    cancel?.throwIfAborted();
    throw new EmbeddedPostgresError(
      'start_failed',
      `The database could not be created in ${draft}: ${(cause as Error).message}`,
      undefined,
      { cause },
    );
  });
}

/** Drafts of processes that were killed before they had finished. */
async function removeLeftovers({ home }: DataFolder): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /^draft-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      // Its initdb may still be writing for a moment; the start after this one removes it then.
      await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
