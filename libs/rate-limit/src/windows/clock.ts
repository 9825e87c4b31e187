/** Unix time in milliseconds, fractions allowed. When it jumps back, time stands still until it has caught up. */
export type Clock = () => number;

/**
 * Unix time as it was when the clock was made, and from then on what has passed: however the system's clock is
 * set meanwhile, a window of 60 seconds stays 60 seconds long.
 */
export function steadyClock(): Clock {
  const start = Date.now() - performance.now();
  // Whole milliseconds: sums of fractions this long after 1970 are off by a little, and 60.0000002 s rounds up to 61.
  return () => Math.floor(start + performance.now());
}
