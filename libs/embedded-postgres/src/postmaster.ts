import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type DataFolder, socketIn } from './data-folder.js';
import { hasCode } from './private-files.js';

/** What a server says of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  /** Folder of the server's socket; empty until the server has written it. */
  readonly socketFolder: string;
  /** `dead`: it was killed and left the file behind. */
  readonly state: 'dead' | 'starting' | 'ready' | 'stopping';
}

/** By the word in the eighth line; a standby takes connections, too. */
const STATES: ReadonlyMap<string | undefined, Postmaster['state']> = new Map([
  ['ready', 'ready'],
  ['standby', 'ready'],
  ['stopping', 'stopping'],
]);

/**
 * The server that runs on this folder, or was killed on it; `undefined` when there is none.
 *
 * @throws the file system's error
 */
export async function readPostmaster(folder: DataFolder): Promise<Postmaster | undefined> {
  const lines = (await readLockFile(join(folder.data, 'postmaster.pid'))).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return undefined;
  const isDead = !isAlive(pid) || (await isSomethingElse(pid, folder));
  const state = isDead ? 'dead' : (STATES.get(lines[7]?.trim()) ?? 'starting');
  return { pid, socketFolder: lines[4] ?? '', state };
}

/**
 * Removes lock files, of the data and of the socket, whose process id meanwhile belongs to a program that is no
 * server on this folder. PostgreSQL itself looks only at the id, and would refuse to start for good in a restarted
 * container, where the same few ids come back.
 */
export async function removeStaleLocks(folder: DataFolder, socketFolder: string): Promise<void> {
  for (const path of [join(folder.data, 'postmaster.pid'), `${socketIn(socketFolder)}.lock`]) {
    const pid = Number.parseInt(await readLockFile(path), 10);
    if (pid > 0 && isAlive(pid) && (await isSomethingElse(pid, folder))) await rm(path, { force: true });
  }
}

function readLockFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
}

/**
 * Whether a process with this id exists that this user may signal. Another user's is none of ours, as PostgreSQL has it
 * too: a server runs as the owner of its data.
 */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Compares the working directory, which for a server is its data folder and for a process that has ended is none. If it
 * cannot be read, compares name (`postgres`) and user; if they cannot be read either, trusts the lock file.
 */
async function isSomethingElse(pid: number, folder: DataFolder): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) !== (await realpath(folder.data));
  } catch (error) {
    if (hasCode(error, 'ENOENT') && existsSync('/proc/self')) return existsSync(`/proc/${pid}`);
    const seen = await describeProcess(pid).catch(() => undefined);
    if (seen === undefined) return false;
    return seen.name !== 'postgres' || seen.uid !== (await stat(folder.data)).uid;
  }
}

/** Name of the program that a process runs, and the user that it runs as. */
async function describeProcess(pid: number): Promise<{ name: string | undefined; uid: number }> {
  if (existsSync('/proc/self')) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const [, name, uid] = /^Name:\t(.*)$.*^Uid:\t\d+\t(\d+)/ms.exec(status) ?? [];
    return { name, uid: Number(uid) };
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'uid=', '-o', 'comm=', '-p', String(pid)]);
  const [, uid, program = ''] = /^ *(\d+) (.*)/.exec(stdout) ?? [];
  return { name: basename(program.trim()), uid: Number(uid) };
}
