/** Longest time that counts between two looks at the clock, in milliseconds. */
const SLICE_MS = 250;

/**
 * Calls back after a time in which the process runs. While it stands still (stopped, out of CPU, its machine asleep) next to
 * nothing of the time passes, and what has arrived meanwhile is read first: so no endpoint is late because this process is.
 *
 * @param ms in milliseconds
 * @returns ends it
 */
export function afterRunning(ms: number, callback: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  let left = ms;
  const rest = (): NodeJS.Timeout => {
    const slice = Math.min(left, SLICE_MS);
    left -= slice;
    return setTimeout(() => {
      if (left > 0) timer = rest();
      // Timers are called before sockets are read, and immediates after that.
      else immediate = setImmediate(callback);
    }, slice);
  };
  let timer = rest();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
