import { execFile } from 'node:child_process';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSharedFolder, WORKSPACE_CACHE } from './shared-folder.js';

const run = promisify(execFile);

/** How to start a Redis server on this machine. */
export interface RedisBinary {
  readonly command: string;
  /** Where its shared libraries are, if not where the system looks anyway. */
  readonly libraries?: string;
}

const INSTALLED = ['redis-server', 'valkey-server'];

/**
 * Fetches the server and what it needs beyond what is installed, and unpacks all of it into `root` in the current folder.
 * Without package lists, as on a fresh container, it fetches them for itself.
 */
const FETCH = `
set -e
apt() { apt-get -qq -o APT::Sandbox::User=root "$@"; }
missing() { apt "$@" -o Debug::NoLocking=1 --print-uris --no-install-recommends install redis-server; }
if ! uris=$(missing); then
  mkdir -p state/lists/partial cache/archives/partial
  set -- -o "Dir::State=$PWD/state" -o "Dir::Cache=$PWD/cache" -o Dir::State::status=/var/lib/dpkg/status
  apt "$@" update
  uris=$(missing "$@")
fi
apt "$@" download $(echo "$uris" | cut -d ' ' -f 2 | cut -d _ -f 1)
for archive in *.deb; do dpkg -x "$archive" root; done
`;

let found: Promise<RedisBinary> | undefined;

/**
 * The Redis or Valkey server on the PATH, else the one of the distribution (Debian, Ubuntu), fetched with
 * apt and unpacked into a cache folder: nothing is installed, and no rights are needed.
 */
export function redisBinary(): Promise<RedisBinary> {
  found ??= findInstalled().then((installed) => installed ?? fetched());
  return found;
}

/** Runs `redis-cli`, which comes with the server, to its end. */
export async function runRedisCli(args: readonly string[]): Promise<void> {
  const { command, libraries } = await redisBinary();
  const cli = command.replace(/server$/, 'cli');
  const words = libraries === undefined ? [cli] : [`LD_LIBRARY_PATH=${libraries}`, cli];
  await run('env', [...words, ...args]);
}

async function findInstalled(): Promise<RedisBinary | undefined> {
  for (const command of INSTALLED) if (await succeeds(run(command, ['--version']))) return { command };
  return undefined;
}

async function fetched(): Promise<RedisBinary> {
  const root = join(await cacheFolder(), 'redis-server');
  await makeSharedFolder(root, async (draft) => {
    await run('/bin/sh', ['-c', FETCH], { cwd: draft }).catch((cause: unknown) => {
      throw new Error('No Redis: install redis-server or valkey-server (apt could not fetch it).', { cause });
    });
    return join(draft, 'root');
  });
  const [triplet = ''] = (await readdir(join(root, 'usr/lib'))).filter((name) => name.includes('-linux-'));
  return { command: join(root, 'usr/bin/redis-server'), libraries: join(root, 'usr/lib', triplet) };
}

/** `~/.cache/petstore`, or `.cache` in the workspace for a user without a home. */
async function cacheFolder(): Promise<string> {
  for (const folder of [join(homedir(), '.cache', 'petstore'), WORKSPACE_CACHE]) {
    const made = mkdir(folder, { recursive: true }).then(() => access(folder, constants.W_OK));
    if (await succeeds(made)) return folder;
  }
  throw new Error(`Neither the home folder nor ${WORKSPACE_CACHE} can be written to.`);
}

function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
