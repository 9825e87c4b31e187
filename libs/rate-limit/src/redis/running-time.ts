/** Of the time between two looks at the clock, in milliseconds, no more counts: the rest this process was away. */
const SLICE_MS = 50;

/**
 * Calls `onEnd` when this process has been running for `ms` milliseconds. A machine that is busy keeps a process from
 * running for long; what a server has sent meanwhile is read before time goes on, so that it is not judged by that.
 *
 * @returns how to call it off
 */
export function afterRunning(ms: number, onEnd: () => void): () => void {
  let leftMs = ms;
  let since = performance.now();
  let timer: NodeJS.Timeout;
  let immediate: NodeJS.Immediate | undefined;
  const wait = (): void => {
    timer = setTimeout(look, Math.min(leftMs, SLICE_MS));
  };
  const look = (): void => {
    const now = performance.now();
    leftMs -= Math.min(now - since, SLICE_MS);
    since = now;
    if (leftMs > 0) wait();
    // Sockets are read before immediates, and after timers.
    else immediate = setImmediate(onEnd);
  };
  wait();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
