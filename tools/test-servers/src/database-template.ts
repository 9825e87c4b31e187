import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { memoryFolder } from './memory-folder.js';

const run = promisify(execFile);

const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));
const EMBEDDED = fileURLToPath(new URL('../../../libs/embedded-postgres/', import.meta.url));

/** Where libs/embedded-postgres keeps a database and its password, in a data folder. */
const DATABASE = 'postgres/cluster';

/**
 * Puts an empty database into a data folder, as the first start of `startEmbeddedPostgres` would: a copy of one that
 * was made once for this workspace, in a fifth of the time that `initdb` takes.
 *
 * @param dataDir an empty folder
 */
export async function putDatabase(dataDir: string): Promise<void> {
  const template = await templateFolder();
  const database = join(dataDir, DATABASE);
  await mkdir(join(database, '..'), { recursive: true, mode: 0o700 });
  await run('cp', ['-Rp', template, database]);
}

/** Made on the first call on a machine, and anew when the binaries or the way of making a database have changed. */
async function templateFolder(): Promise<string> {
  const template = join(CACHE, `database-${await fingerprint()}`);
  if (!existsSync(template)) await makeTemplate(template);
  return template;
}

async function fingerprint(): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const hash = createHash('sha256')
    // The path has the version.
    .update(createRequire(join(EMBEDDED, 'package.json')).resolve(platform))
    .update(await readFile(join(EMBEDDED, 'src/data-folder/cluster.ts')))
    // Only its owner can read it.
    .update(String(process.getuid?.()));
  return hash.digest('hex').slice(0, 12);
}

async function makeTemplate(template: string): Promise<void> {
  const folder = await memoryFolder('database-template');
  try {
    const log = (): void => undefined;
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log, durable: false });
    await server.stop();
    await keep(join(folder.path, DATABASE), template);
  } finally {
    await folder.remove();
  }
}

/** Copies to a folder beside the template and renames at the end: a complete one appears there at once. */
async function keep(database: string, template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'draft-'));
  try {
    await run('cp', ['-Rp', database, join(draft, 'cluster')]);
    // Another process may have been faster; theirs is as good.
    await rename(join(draft, 'cluster'), template).catch((error: unknown) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
