import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, SUPERUSER } from './data-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { isAlive } from './postmaster.js';
import { hasCode } from './private-files.js';
import { giveTo } from './process-identity.js';

/**
 * Creates the database if there is none: UTF-8, C locale, data checksums, a random password. It is created in a draft
 * folder and renamed when complete: a killed process leaves no partial database, and of two that start together one
 * uses the other's.
 *
 * @param initdb runs it with these arguments as the user `identity`
 */
export async function ensureCluster(
  { home, cluster, data }: DataFolder,
  identity: Parameters<typeof giveTo>[0],
  initdb: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  await removeLeftovers(home);
  if (existsSync(join(data, 'PG_VERSION'))) {
    await giveTo(identity, cluster);
    return;
  }
  const draft = await mkdtemp(join(home, `draft-${process.pid}-`));
  const password = join(draft, 'password');
  try {
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    await mkdir(join(draft, 'data'), { mode: 0o700 });
    await giveTo(identity, draft);
    await initdb([
      ...[`--pgdata=${join(draft, 'data')}`, `--username=${SUPERUSER}`, `--pwfile=${password}`],
      ...['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth=scram-sha-256', '--no-instructions'],
    ]).catch((cause: unknown) => {
      const message = `The database could not be created in ${draft}: ${(cause as Error).message}`;
      throw new EmbeddedPostgresError('start_failed', message, { cause });
    });
    await rename(draft, cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  }
}

/** Drafts of processes that were killed before they had finished. */
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = Number(/^draft-(\d+)-/.exec(name)?.[1]);
    // What its initdb still writes is removed by the start after this one.
    if (pid === process.pid || (pid > 0 && !isAlive(pid)))
      await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
