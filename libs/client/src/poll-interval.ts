import type { LimitState } from './limit-state.js';

/** Milliseconds between two requests, however large the plan is. */
const SHORTEST_INTERVAL_MS = 1_000;

/** Milliseconds between two requests, however small the plan is. */
const LONGEST_INTERVAL_MS = 86_400_000;

/** Milliseconds where the limits are unknown: a gateway or browser may hide their header fields. */
const INTERVAL_OF_UNKNOWN_LIMITS_MS = 60_000;

/** Part of each window that polling may use; the rest is for the other requests of the key. */
const SHARE = 0.5;

/** Milliseconds between two requests of a program that polls all day. */
export function pollInterval(limits: LimitState | undefined): number {
  const windows = limits?.windows ?? [];
  if (windows.length === 0) return INTERVAL_OF_UNKNOWN_LIMITS_MS;
  const intervals = windows.map(({ seconds, quota }) => (seconds * 1_000) / (quota * SHARE));
  return Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ...intervals.map(Math.ceil)));
}
