/** Longest step, in milliseconds: no more than this counts of a time in which this process did not run. */
const STEP_MS = 100;

/**
 * Calls back after a time in which this process runs: a busy machine that does not run it makes no worker late, and what has
 * arrived meanwhile is read first.
 *
 * @param ms in milliseconds
 * @returns ends it
 */
export function afterRunning(ms: number, callback: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const wait = (leftMs: number): NodeJS.Timeout => {
    const step = Math.min(leftMs, STEP_MS);
    return setTimeout(() => {
      if (leftMs > step) timer = wait(leftMs - step);
      // Timers are called before messages are read, and immediates after that.
      else immediate = setImmediate(callback);
    }, step);
  };
  let timer = wait(ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
