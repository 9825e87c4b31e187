import type { PlanLimits } from '../policy/plan.js';
import type { Ban } from './rate-limit-store.js';
import { RateLimitResult } from './rate-limit-result.js';

/** How a subject stands after some requests that were decided together, in one go and at one moment. */
export interface WindowSnapshot {
  /** Unix time of the decision, in milliseconds. */
  readonly now: number;
  /** How many of the requests were admitted: always the first ones. */
  readonly admitted: number;
  /** How many of the others were refused before a ban was in force. */
  readonly plainRefusals: number;
  /** What the windows hold now. */
  readonly minuteUsed: number;
  readonly dayUsed: number;
  /** Milliseconds until each window has room for one more than now; 0 when it is empty. */
  readonly minuteResetMs: number;
  readonly dayResetMs: number;
  /** Milliseconds until the ban ends; 0 without one. */
  readonly banMs: number;
  /** How many bans there were in a row, the present one included. */
  readonly bans: number;
  /** Whether the ban began with these requests. */
  readonly banStarted: boolean;
}

/** What Redis says, beside how the subject stands. */
export interface RedisSnapshot extends WindowSnapshot {
  /** Names the value that holds the counters: a number from 1 to 255, another one when it is made anew; 0 for none. */
  readonly generation: number;
  /** Redis knows less than it once reported; nothing was decided. */
  readonly stale: boolean;
}

/** The result on the request number `index` (from 0) of those that `snapshot` speaks of. */
export function toResult(snapshot: WindowSnapshot, limits: PlanLimits, index: number): RateLimitResult {
  const { now, admitted, plainRefusals, minuteResetMs, dayResetMs } = snapshot;
  // An admitted request sees the windows before those that came after it.
  const after = index < admitted ? admitted - 1 - index : 0;
  const refusedBefore = index - admitted;
  const banned = refusedBefore >= plainRefusals && index >= admitted;
  return new RateLimitResult(
    index < admitted,
    now,
    limits,
    Math.max(0, limits.perMinute - snapshot.minuteUsed + after),
    minuteResetMs,
    Math.max(0, limits.perDay - snapshot.dayUsed + after),
    dayResetMs,
    banned ? snapshot.banMs : 0,
    snapshot.banStarted && refusedBefore === plainRefusals,
  );
}

/** The result that a request would get now, from a snapshot after no request at all. */
export function peekResult(snapshot: WindowSnapshot, limits: PlanLimits): RateLimitResult {
  const minuteRemaining = Math.max(0, limits.perMinute - snapshot.minuteUsed);
  const dayRemaining = Math.max(0, limits.perDay - snapshot.dayUsed);
  return new RateLimitResult(
    snapshot.banMs === 0 && minuteRemaining > 0 && dayRemaining > 0,
    snapshot.now,
    limits,
    minuteRemaining,
    snapshot.minuteResetMs,
    dayRemaining,
    snapshot.dayResetMs,
    snapshot.banMs,
    false,
  );
}

/** The ban in force, or `undefined`. */
export function toBan({ banMs, bans }: WindowSnapshot): Ban | undefined {
  return banMs > 0 ? { remainingMs: banMs, count: bans } : undefined;
}
