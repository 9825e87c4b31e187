import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, notPermitted } from './data-folder.js';
import { isAlive } from './process-alive.js';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  /** TCP port on loopback; 0 until the server has written it. */
  readonly port: number;
  readonly state: 'starting' | 'ready' | 'stopping';
}

/** The server that runs on this folder, or `undefined`. */
export async function readPostmaster(folder: DataFolder): Promise<Postmaster | undefined> {
  const lines = (await readLockFile(folder))?.split('\n');
  const pid = Number(lines?.[0]);
  if (lines === undefined || !Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (await isSomethingElse(pid, folder)) return undefined;
  const word = lines[7]?.trim();
  const state = word === 'ready' || word === 'stopping' ? word : 'starting';
  return { pid, port: Number(lines[3] ?? 0), state };
}

/**
 * Removes a lock file whose process id meanwhile belongs to a program that is no server on this folder.
 * PostgreSQL itself looks only at the id, and would refuse to start for good in a restarted container,
 * where the same few ids come back.
 */
export async function removeStaleLock(folder: DataFolder): Promise<void> {
  const pid = Number.parseInt((await readLockFile(folder)) ?? '', 10);
  if (pid > 0 && isAlive(pid) && (await isSomethingElse(pid, folder))) {
    await rm(join(folder.data, 'postmaster.pid'), { force: true });
  }
}

async function readLockFile(folder: DataFolder): Promise<string | undefined> {
  try {
    return await readFile(join(folder.data, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw notPermitted(folder.root, error);
  }
}

/** A server's working directory is its data folder; where that cannot be seen, the lock file is believed. */
async function isSomethingElse(pid: number, folder: DataFolder): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) !== (await realpath(folder.data));
  } catch {
    return false;
  }
}
