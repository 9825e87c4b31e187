import { readdir, readFile } from 'node:fs/promises';
import { until } from './until.js';

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Processes whose parent is `pid`: the fourth field of proc_pid_stat(5). */
export async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')));
  return pids.filter((_id, i) => stats[i]?.split(') ')[1]?.split(' ')[1] === String(pid)).map(Number);
}

/** Resolves when there is no process with this id any more. */
export const gone = (pid: number): Promise<void> => until(() => !isAlive(pid));
