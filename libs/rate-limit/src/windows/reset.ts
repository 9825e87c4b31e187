import type { SlidingWindow } from './sliding-window.js';

/** Milliseconds until the window has room for one more; when it holds more than the limit, for a first one. */
export function resetMs(window: SlidingWindow, limit: number, now: number): number {
  if (window.total === 0) return 0;
  return Math.ceil(window.freeAt(Math.max(1, window.total - limit + 1)) - now);
}

/** As {@link resetMs}, for a window in two parts. */
export function resetMsOfBoth(one: SlidingWindow, other: SlidingWindow, limit: number, now: number): number {
  if (other.total === 0) return resetMs(one, limit, now);
  if (one.total === 0) return resetMs(other, limit, now);
  let left = Math.max(1, one.total + other.total - limit + 1);
  for (const { at, units } of [...one.batches(), ...other.batches()].sort((a, b) => a.at - b.at)) {
    left -= units;
    if (left <= 0) return Math.ceil(at + one.lengthMs - now);
  }
  return 0;
}
