/** Signals closer together than this, in milliseconds, are one: a terminal and npm both send Ctrl-C on. */
const SAME = 1_000;

/** Keeps the echo of a signal from killing a program that is stopping in order; a later one still does. */
export function endOnce() {
  let first = 0;
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ]) {
    process.on(signal, () => {
      first ||= Date.now();
      if (Date.now() - first > SAME) process.exit(128 + number);
    });
  }
}

/** A program started by npm does not outlive it, even when npm is killed and can pass no signal on. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
