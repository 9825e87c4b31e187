import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, notPermitted, socketIn } from './data-folder.js';
import { isAlive } from '../process/process-alive.js';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  /** Folder of the server's socket; empty until the server has written it. */
  readonly sockets: string;
  readonly state: 'starting' | 'ready' | 'stopping';
}

/** By the word in the eighth line; a standby takes connections, too. */
const STATES: ReadonlyMap<string | undefined, Postmaster['state']> = new Map([
  ['ready', 'ready'],
  ['standby', 'ready'],
  ['stopping', 'stopping'],
]);

/** The server that runs on this folder, or `undefined`. */
export async function readPostmaster(folder: DataFolder): Promise<Postmaster | undefined> {
  const lines = (await readLockFile(join(folder.data, 'postmaster.pid'), folder))?.split('\n');
  const pid = Number(lines?.[0]);
  if (lines === undefined || !Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (await isSomethingElse(pid, folder)) return undefined;
  const state = STATES.get(lines[7]?.trim()) ?? 'starting';
  return { pid, sockets: lines[4] ?? '', state };
}

/** The folder of the socket of a server that was killed together with the process that would have removed it. */
export async function readAbandonedSockets(folder: DataFolder): Promise<string | undefined> {
  // One look at the file tells both, so that a server which starts just now is not taken for the dead one.
  const lines = (await readLockFile(join(folder.data, 'postmaster.pid'), folder))?.split('\n');
  const pid = Number(lines?.[0]);
  const isDead = pid > 0 && (!isAlive(pid) || (await isSomethingElse(pid, folder)));
  return isDead ? lines?.[4] : undefined;
}

/**
 * Removes lock files, of the data and of the socket, whose process id meanwhile belongs to a program that is no
 * server on this folder. PostgreSQL itself looks only at the id, and would refuse to start for good in a restarted
 * container, where the same few ids come back.
 */
export async function removeStaleLocks(folder: DataFolder, sockets: string): Promise<void> {
  for (const path of [join(folder.data, 'postmaster.pid'), `${socketIn(sockets)}.lock`]) {
    const pid = Number.parseInt((await readLockFile(path, folder)) ?? '', 10);
    if (pid > 0 && isAlive(pid) && (await isSomethingElse(pid, folder))) await rm(path, { force: true });
  }
}

async function readLockFile(path: string, { root }: DataFolder): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw notPermitted(root, error);
  }
}

/** A server's working directory is its data folder; where that cannot be seen, the lock file counts. */
async function isSomethingElse(pid: number, folder: DataFolder): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) !== (await realpath(folder.data));
  } catch {
    return false;
  }
}
