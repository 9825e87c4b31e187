import { readFileSync } from 'node:fs';

/** Signals closer together than this, in milliseconds, are one: a terminal and npm both send Ctrl-C on. */
const SAME = 1_000;

/** How often is looked whether npm is still there, in milliseconds. */
const LOOK = 500;

/** Keeps the echo of a signal from killing a program that is stopping in order; a later one still does. */
export function endOnce() {
  let first = 0;
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]) {
    process.on(signal, () => {
      first ||= Date.now();
      // The program has its own handler once it runs; before that nothing would end.
      const isIgnored = process.listenerCount(signal) === 1;
      if (isIgnored || Date.now() - first > SAME) process.exit(128 + number);
    });
  }
}

/**
 * What npm has started does not outlive it, even when npm is killed and can pass no signal on. Called before anything
 * else: when npm is gone already, its place has another process.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  // Some shells stay between npm and what they run; scripts say no `exec`, which not all systems know.
  const npm = isShell(parent) ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    const isThere = process.ppid === parent && (npm === undefined || parentOf(parent) === npm);
    if (isThere) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK).unref();
}

/** Whether a process was started as `sh -c ...`. Known on Linux only; the shell of macOS does not stay. */
function isShell(pid) {
  return read(`/proc/${pid}/cmdline`).split('\0').includes('-c');
}

/** The parent of a process (field 4 of proc_pid_stat(5)); `undefined` where it is not known. */
function parentOf(pid) {
  // The name of the program, in parentheses, may hold anything.
  return /^\d+ \(.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1];
}

/** Text of a file of `/proc`; empty where there is none. */
function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
