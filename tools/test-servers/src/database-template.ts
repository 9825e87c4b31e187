import { execFile } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Client } from 'pg';
import { memoryFolder } from './memory-folder.js';

const run = promisify(execFile);

const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));
const EMBEDDED = fileURLToPath(new URL('../../../libs/embedded-postgres/', import.meta.url));
const PERSISTENCE = fileURLToPath(new URL('../../../libs/persistence/src/', import.meta.url));
/** Its sources that decide what an empty database becomes: the migrations, and how they are run. */
const MIGRATION = /^(?:migrations|schema)\//;

/** Where libs/embedded-postgres keeps a database and its password, in a data folder. */
const DATABASE = 'postgres/cluster';

/** Templates of earlier migrations are removed after this time; a test that began on one may still copy it. */
const KEPT_MS = 60 * 60 * 1000;

/** Brings the database at a `postgresql://` address up to date, with all migrations of this workspace. */
export type Migrate = (url: string) => Promise<unknown>;

/**
 * Puts an empty database into a data folder, as the first start of `startEmbeddedPostgres` would: a copy of one that
 * was made once for this workspace, in a fifth of the time that `initdb` takes.
 *
 * @param dataDir an empty folder
 * @param migrate makes it one with the tables of the service; called once for a workspace and its migrations
 */
export async function putDatabase(dataDir: string, migrate?: Migrate): Promise<void> {
  const template = await templateFolder(migrate);
  const database = join(dataDir, DATABASE);
  await mkdir(join(database, '..'), { recursive: true, mode: 0o700 });
  await run('cp', ['-Rp', template, database]);
}

/** Made on the first call on a machine, and anew when what it depends on has changed. */
async function templateFolder(migrate?: Migrate): Promise<string> {
  const hash = await hashOfEmpty();
  if (migrate !== undefined) await addMigrations(hash);
  const kind = migrate === undefined ? 'database' : 'migrated';
  const template = join(CACHE, `${kind}-${hash.digest('hex').slice(0, 12)}`);
  if (!existsSync(template)) {
    await removeOld(kind);
    await makeTemplate(template, migrate);
  }
  return template;
}

async function hashOfEmpty(): Promise<Hash> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  return (
    createHash('sha256')
      // The path has the version.
      .update(createRequire(join(EMBEDDED, 'package.json')).resolve(platform))
      .update(await readFile(join(EMBEDDED, 'src/data-folder/cluster.ts')))
      .update(await readFile(fileURLToPath(import.meta.url)))
      // Only its owner can read it.
      .update(String(process.getuid?.()))
  );
}

async function addMigrations(hash: Hash): Promise<void> {
  for (const name of (await readdir(PERSISTENCE, { recursive: true })).sort())
    if (MIGRATION.test(name)) hash.update(name).update(await readFile(join(PERSISTENCE, name)));
}

/** Removes what earlier sources have left; another user's are not ours to remove. */
async function removeOld(kind: string): Promise<void> {
  for (const name of await readdir(CACHE).catch(() => [])) {
    const path = join(CACHE, name);
    if (!name.startsWith(`${kind}-`)) continue;
    const made = await stat(path).catch(() => undefined);
    if (made === undefined || made.uid !== process.getuid?.() || Date.now() - made.mtimeMs < KEPT_MS)
      continue;
    // Nobody shall find half of it; another process may be faster.
    const removed = `${path}-old`;
    await rename(path, removed).catch(() => undefined);
    await rm(removed, { recursive: true, force: true });
  }
}

async function makeTemplate(template: string, migrate?: Migrate): Promise<void> {
  const folder = await memoryFolder('database-template');
  try {
    if (migrate !== undefined) await putDatabase(folder.path);
    const log = (): void => undefined;
    const server = await startEmbeddedPostgres({ dataDir: folder.path, log, durable: false });
    try {
      if (migrate !== undefined) {
        await migrate(server.url);
        await removeSpareDatabases(server.url);
      }
    } finally {
      await server.stop();
    }
    await keep(join(folder.path, DATABASE), template);
  } finally {
    await folder.remove();
  }
}

/**
 * What `create database` copies unless told otherwise is two thirds of the files, which each test file would copy. An empty
 * template keeps it.
 */
async function removeSpareDatabases(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('update pg_database set datistemplate = false');
    for (const name of ['template0', 'template1']) await client.query(`drop database ${name}`);
  } finally {
    await client.end();
  }
}

/** Copies to a folder beside the template and renames at the end: a complete one appears there at once. */
async function keep(database: string, template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'draft-'));
  try {
    await run('cp', ['-Rp', database, join(draft, 'cluster')]);
    // Its age counts from here.
    await utimes(join(draft, 'cluster'), new Date(), new Date());
    // Another process may have been faster; theirs is as good.
    await rename(join(draft, 'cluster'), template).catch((error: unknown) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
