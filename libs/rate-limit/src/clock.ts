/** Unix time in milliseconds, fractions allowed. When it jumps back, time stands still until it has caught up. */
export type Clock = () => number;

/**
 * Unix time as it was when the clock was made, and from then on what has passed: however the system's clock is
 * set meanwhile, a window of 60 seconds stays 60 seconds long.
 */
export function steadyClock(): Clock {
  const start = Date.now() - performance.now();
  return () => start + performance.now();
}
