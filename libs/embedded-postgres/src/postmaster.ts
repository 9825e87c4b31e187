import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, realpath, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { DataFolder } from './data-folder.js';
import { hasCode } from './private-files.js';

/** What the server that runs on a folder says of itself in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  /** Whether it takes connections; a standby does, too. */
  readonly isReady: boolean;
  readonly isStopping: boolean;
}

/** The server that runs on this folder; `undefined` when there is none. */
export async function readPostmaster(folder: DataFolder): Promise<Postmaster | undefined> {
  const { pid, status } = await readLock(folder);
  if (!(pid > 0 && (await isServer(pid, folder)))) return undefined;
  return { pid, isReady: ['ready', 'standby'].includes(status), isStopping: status === 'stopping' };
}

/**
 * Removes the locks of the data and of the socket if another program has their process id now. PostgreSQL itself looks
 * only at the id, and would refuse to start for good in a restarted container, where the same few ids come back.
 */
export async function removeStaleLocks(folder: DataFolder): Promise<void> {
  const { pid } = await readLock(folder);
  if (!(pid > 0 && isAlive(pid)) || (await isServer(pid, folder))) return;
  for (const path of [folder.lock, `${folder.socket}.lock`]) await rm(path, { force: true });
}

async function readLock({ lock }: DataFolder): Promise<{ pid: number; status: string }> {
  // A server that stops removes it at any moment.
  const text = await readFile(lock, 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    return '';
  });
  const lines = text.split('\n');
  return { pid: Number.parseInt(lines[0] ?? '', 10), status: lines[7]?.trim() ?? '' };
}

/** Whether a process with this id exists that this user may signal. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process is a server on this folder, which its command line names. One that has ended has none. */
async function isServer(pid: number, { data }: DataFolder): Promise<boolean> {
  const line = existsSync('/proc/self')
    ? readFile(`/proc/${pid}/cmdline`, 'utf8')
    : promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).then(({ stdout }) => stdout);
  return (await line.catch(() => '')).includes(await realpath(data));
}
