import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * When a process was started, in a form of the system's that can be part of a file name: with its id it names one process
 * for good, while an id alone is given to another one later. Empty where that cannot be seen, as on Windows.
 */
export function startOf(pid) {
  const text = existsSync('/proc/self/stat') ? statOf(pid)?.start : psOf(pid);
  return (text ?? '').trim().replaceAll(/\W+/g, '.');
}

/** Whether the process with this id is there that was started then, not one that has ended and was not waited for. */
export function isRunning(pid, start) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  if (statOf(pid)?.state === 'Z') return false;
  const found = startOf(pid);
  return found === '' || start === '' || found === start;
}

/** The parent of a process; `undefined` where it is not known. */
export function parentOf(pid) {
  return statOf(pid)?.parent;
}

/** Fields 3, 4 and 22 of proc_pid_stat(5), on Linux. */
function statOf(pid) {
  // The name of the program, in parentheses, may hold anything.
  const fields = /^\d+ \(.*\) (.*)$/s.exec(read(`/proc/${pid}/stat`))?.[1].split(' ');
  return fields && { state: fields[0], parent: fields[1], start: fields[19] };
}

function psOf(pid) {
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return ps.status === 0 ? ps.stdout : '';
}

/** Text of a file of `/proc`; empty where there is none. */
export function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
