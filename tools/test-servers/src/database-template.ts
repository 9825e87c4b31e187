import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { Client } from 'pg';
import { makeSharedFolder, WORKSPACE_CACHE } from './shared-folder.js';

const run = promisify(execFile);

const EMBEDDED = fileURLToPath(new URL('../../../libs/embedded-postgres/', import.meta.url));
const PERSISTENCE = fileURLToPath(new URL('../../../libs/persistence/src/', import.meta.url));
/** Sources of libs/persistence that decide what an empty database becomes: the migrations, and how they are run. */
const MIGRATION = /^(?:migrations|schema)\//;
/** Where libs/embedded-postgres keeps a database and its password, in a data folder. */
const DATABASE = 'postgres/cluster';
/** Templates of earlier sources are removed after this time: a test that began on one may still copy it. */
const KEPT_MS = 60 * 60 * 1000;

/** Brings the database at a `postgresql://` address up to date, with all migrations of this workspace. */
export type Migrate = (url: string) => Promise<unknown>;

/**
 * Puts an empty database into a data folder, as the first start of `startEmbeddedPostgres` would: a copy of one that
 * was made once for this workspace, in a fifth of the time that `initdb` takes.
 *
 * @param dataDir an empty folder
 * @param migrate adds the tables of the service; called once for a workspace and its migrations
 */
export async function putDatabase(dataDir: string, migrate?: Migrate): Promise<void> {
  const kind = migrate === undefined ? 'database' : 'migrated';
  const template = join(WORKSPACE_CACHE, `${kind}-${await fingerprint(kind)}`);
  await makeSharedFolder(template, async (draft) => {
    await removeOldTemplates(kind);
    await makeDatabase(draft, migrate);
    return join(draft, DATABASE);
  });
  await copy(template, dataDir);
}

/** Copies the database of a data folder, whose server has been stopped, into an empty one. */
export function copyDatabase(from: string, to: string): Promise<void> {
  return copy(join(from, DATABASE), to);
}

async function copy(database: string, dataDir: string): Promise<void> {
  await mkdir(join(dataDir, DATABASE, '..'), { recursive: true, mode: 0o700 });
  await run('cp', ['-Rp', database, join(dataDir, DATABASE)]);
}

/** Makes the server of a data folder follow the one of its setting `primary_conninfo`. */
export async function makeStandby(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, DATABASE, 'data/standby.signal'), '');
}

/** Of everything that a template depends on: the version of PostgreSQL, the sources, and the only user who can read it. */
async function fingerprint(kind: string): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const hash = createHash('sha256')
    .update(createRequire(join(EMBEDDED, 'package.json')).resolve(platform))
    .update(String(process.getuid?.()));
  const files = [join(EMBEDDED, 'src/cluster.ts'), fileURLToPath(import.meta.url)];
  if (kind === 'migrated')
    for (const name of (await readdir(PERSISTENCE, { recursive: true })).sort())
      if (MIGRATION.test(name)) files.push(join(PERSISTENCE, name));
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

async function removeOldTemplates(kind: string): Promise<void> {
  for (const name of await readdir(WORKSPACE_CACHE).catch(() => [])) {
    const path = join(WORKSPACE_CACHE, name);
    const { mtimeMs, uid } = await stat(path).catch(() => ({ mtimeMs: Infinity, uid: undefined }));
    if (!name.startsWith(`${kind}-`) || uid !== process.getuid?.() || Date.now() - mtimeMs < KEPT_MS)
      continue;
    // No process must find half of it.
    const removed = `${path}-old`;
    await rename(path, removed).catch(() => undefined);
    await rm(removed, { recursive: true, force: true });
  }
}

async function makeDatabase(dataDir: string, migrate?: Migrate): Promise<void> {
  if (migrate !== undefined) await putDatabase(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false });
  try {
    if (migrate !== undefined) {
      await migrate(server.url);
      await dropSpareDatabases(server.url);
    }
  } finally {
    await server.stop();
  }
}

/** The databases that `create database` copies are two thirds of the files. An empty template keeps them. */
async function dropSpareDatabases(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('update pg_database set datistemplate = false');
    for (const name of ['template0', 'template1']) await client.query(`drop database ${name}`);
  } finally {
    await client.end();
  }
}
