import { execFile } from 'node:child_process';
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeSharedFolder, WORKSPACE_CACHE } from './shared-folder.js';

const run = promisify(execFile);

/** A program of the distribution that tests start. */
export interface ProgramName {
  /** Names on the PATH or paths, the first that is there. */
  readonly commands: readonly string[];
  /** What it prints its version for, to see that it runs; `-v` unless given. */
  readonly versionOption?: string;
  /** Package of Debian and Ubuntu that has it. */
  readonly package: string;
  /** Where it is in that package. */
  readonly path: string;
}

/** How to start a program on this machine. */
export interface InstalledProgram {
  readonly command: string;
  /** Where its shared libraries are, if not where the system looks anyway. */
  readonly libraries?: string | undefined;
}

/**
 * Fetches the package `$0` and what it needs beyond what is installed, and unpacks all of it into `root` in the current
 * folder. Without package lists, as on a fresh container, it fetches them for itself.
 */
const FETCH = `
set -e
apt() { apt-get -qq -o APT::Sandbox::User=root "$@"; }
missing() { apt "$@" -o Debug::NoLocking=1 --print-uris --no-install-recommends install "$0"; }
if ! uris=$(missing); then
  mkdir -p state/lists/partial cache/archives/partial
  set -- -o "Dir::State=$PWD/state" -o "Dir::Cache=$PWD/cache" -o Dir::State::status=/var/lib/dpkg/status
  apt "$@" update
  uris=$(missing "$@")
fi
apt "$@" download $(echo "$uris" | cut -d ' ' -f 2 | cut -d _ -f 1)
for archive in *.deb; do dpkg -x "$archive" root; done
`;

const found = new Map<string, Promise<InstalledProgram>>();

/**
 * The program that is installed, else the one of the distribution (Debian, Ubuntu), fetched with apt and unpacked into a
 * cache folder: nothing is installed, and no rights are needed.
 *
 * @throws Error when it is not installed and cannot be fetched; the message names the package
 */
export function installedProgram(name: ProgramName): Promise<InstalledProgram> {
  const program = found.get(name.package) ?? find(name);
  found.set(name.package, program);
  return program;
}

async function find(name: ProgramName): Promise<InstalledProgram> {
  const { commands, versionOption = '-v' } = name;
  for (const command of commands) if (await succeeds(run(command, [versionOption]))) return { command };
  const root = join(await cacheFolder(), name.package);
  await makeSharedFolder(root, async (draft) => {
    await run('/bin/sh', ['-c', FETCH, name.package], { cwd: draft }).catch((cause: unknown) => {
      throw new Error(`Install ${name.package}: none of ${commands.join(', ')} runs, and apt fetched none.`, {
        cause,
      });
    });
    return join(draft, 'root');
  });
  const command = join(root, name.path);
  // It may come without any.
  const libraries = await readdir(join(root, 'usr/lib')).catch(() => []);
  const triplet = libraries.find((entry) => entry.includes('-linux-'));
  return triplet === undefined ? { command } : { command, libraries: join(root, 'usr/lib', triplet) };
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
