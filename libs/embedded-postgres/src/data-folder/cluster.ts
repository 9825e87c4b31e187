import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, notPermitted, SUPERUSER } from './data-folder.js';
import { EmbeddedPostgresError } from '../embedded-postgres.error.js';
import { giveTo, type ProcessIdentity, runAs } from '../process/process-identity.js';
import { isAlive } from '../process/process-alive.js';

export interface InitdbSettings {
  readonly initdb: string;
  readonly identity: ProcessIdentity;
  readonly env: Record<string, string>;
  /** False skips waiting for the disk: for databases that are thrown away. */
  readonly durable: boolean;
}

/**
 * Makes the database unless it is there: UTF-8, C locale, data checksums, a random password.
 *
 * It is made in a folder of its own and renamed when complete, so that a process killed on the way
 * leaves nothing half done, and of two that start together one simply takes the other's.
 */
export async function ensureCluster(folder: DataFolder, settings: InitdbSettings): Promise<void> {
  await removeLeftovers(folder);
  if ((await majorVersion(folder)) !== undefined) {
    await giveTo(settings.identity, folder.cluster);
    return;
  }
  const draft = await mkdtemp(join(folder.home, `draft-${process.pid}-`));
  try {
    await fillDraft(draft, settings);
    await rename(draft, folder.cluster);
    if (settings.durable) await syncFolder(folder.home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const taken = (error as NodeJS.ErrnoException).code;
    if (taken !== 'ENOTEMPTY' && taken !== 'EEXIST') throw error;
  }
}

async function fillDraft(draft: string, { initdb, identity, env, durable }: InitdbSettings): Promise<void> {
  const password = join(draft, 'password');
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  await mkdir(join(draft, 'data'), { mode: 0o700 });
  await giveTo(identity, draft);
  const command = [
    ...[initdb, `--pgdata=${join(draft, 'data')}`, `--username=${SUPERUSER}`, `--pwfile=${password}`],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth=scram-sha-256', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await runAs(identity, env, command);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'start_failed',
      `The database could not be created in ${draft}: ${(cause as Error).message}`,
      undefined,
      { cause },
    );
  }
}

/** Refuses a database of another major version than the packaged binaries have. */
export async function checkVersion(folder: DataFolder, major: string): Promise<void> {
  const found = await majorVersion(folder);
  if (found === undefined || found === major) return;
  throw new EmbeddedPostgresError(
    'other_version',
    `The data folder ${folder.root} holds a database of PostgreSQL ${found}, and the service brings PostgreSQL ${major}. ` +
      `Copy its content over with pg_dump of PostgreSQL ${found}, start the version of the service that wrote it, ` +
      'or name another folder with PETSTORE_DATA_DIR.',
  );
}

async function majorVersion(folder: DataFolder): Promise<string | undefined> {
  try {
    return (await readFile(join(folder.data, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw notPermitted(folder.root, error);
  }
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
