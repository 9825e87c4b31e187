import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to start a Redis server on this machine. */
export interface RedisBinary {
  readonly command: string;
  /** Where its shared libraries are, if not where the system looks anyway. */
  readonly libraries: string | undefined;
}

const INSTALLED = ['redis-server', 'valkey-server'];
const WORKSPACE_CACHE = fileURLToPath(new URL('../../../.cache', import.meta.url));
const FETCHED = 'redis-server';

let found: Promise<RedisBinary> | undefined;

/**
 * The Redis or Valkey server on the PATH, else the one of the distribution (Debian, Ubuntu), fetched with
 * apt and unpacked into a cache folder: nothing is installed, and no rights are needed.
 */
export function redisBinary(): Promise<RedisBinary> {
  found ??= findInstalled().then((installed) => installed ?? fetched());
  return found;
}

async function findInstalled(): Promise<RedisBinary | undefined> {
  for (const command of INSTALLED) {
    const runs = await run(command, ['--version']).then(
      () => true,
      () => false,
    );
    if (runs) return { command, libraries: undefined };
  }
  return undefined;
}

async function fetched(): Promise<RedisBinary> {
  const root = join(await cacheFolder(), FETCHED);
  const command = join(root, 'usr/bin/redis-server');
  if (!(await isThere(command))) await fetchInto(root);
  const [triplet = ''] = (await readdir(join(root, 'usr/lib'))).filter((name) => name.includes('-linux-'));
  return { command, libraries: join(root, 'usr/lib', triplet) };
}

/** `~/.cache/petstore`, or `.cache` in the workspace for a user without a home. */
async function cacheFolder(): Promise<string> {
  for (const folder of [join(homedir(), '.cache', 'petstore'), WORKSPACE_CACHE]) {
    const writable = await mkdir(folder, { recursive: true })
      .then(() => access(folder, constants.W_OK))
      .then(
        () => true,
        () => false,
      );
    if (writable) return folder;
  }
  throw new Error(`Neither the home folder nor ${WORKSPACE_CACHE} can be written to.`);
}

/**
 * Unpacks beside `root` and renames at the end: a complete folder appears there at once, and of several
 * processes that try at the same time one wins, whose folder the others then use.
 */
async function fetchInto(root: string): Promise<void> {
  const work = await mkdtemp(`${root}-`);
  try {
    const unpacked = join(work, 'root');
    for (const archive of await download(work)) await run('dpkg', ['-x', join(work, archive), unpacked]);
    await rename(unpacked, root).catch(async (error: unknown) => {
      if (!(await isThere(root))) throw error;
    });
  } catch (cause) {
    throw new Error('No Redis: install redis-server or valkey-server (apt could not fetch it).', { cause });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Downloads the server and what it needs beyond what is installed; the names of the archives. */
async function download(folder: string): Promise<string[]> {
  let settings: string[] = [];
  const missing = () =>
    run('apt-get', [...settings, '-o', 'Debug::NoLocking=1', '-qq', '--print-uris', ...INSTALL]);
  const uris = await missing().catch(async () => {
    // No package lists yet, as on a fresh container: fetch them for ourselves.
    settings = await privateLists(folder);
    return missing();
  });
  const packages = uris.stdout.split('\n').flatMap((line) => line.split(' ')[1]?.split('_')[0] ?? []);
  await run('apt-get', [...settings, '-qq', '-o', 'APT::Sandbox::User=root', 'download', ...packages], {
    cwd: folder,
  });
  return (await readdir(folder)).filter((name) => name.endsWith('.deb'));
}

const INSTALL = ['--no-install-recommends', 'install', 'redis-server'];

async function privateLists(folder: string): Promise<string[]> {
  const state = join(folder, 'state');
  const cache = join(folder, 'cache');
  await mkdir(join(state, 'lists/partial'), { recursive: true });
  await mkdir(join(cache, 'archives/partial'), { recursive: true });
  const settings = [
    ...['-o', `Dir::State=${state}`, '-o', `Dir::Cache=${cache}`],
    ...['-o', 'Dir::State::status=/var/lib/dpkg/status', '-o', 'APT::Sandbox::User=root'],
  ];
  await run('apt-get', [...settings, '-qq', 'update'], { cwd: tmpdir() });
  return settings;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
