import type { PlanLimits } from '../policy/plan.js';
import type { RateLimitSubject } from '../policy/rate-limit-subject.js';
import type { RedisSnapshot } from '../decision/window-snapshot.js';

/** Bytes in front of the snapshots: the time of the charge. */
const PROLOGUE_BYTES = 8;
const SNAPSHOT_BYTES = 32;
/** The last byte of a snapshot. */
const BAN_STARTED = 1;
const STALE = 2;

/** The two limits as 18 digits; there are few different ones, so that each is spelled once. */
const spelled = new WeakMap<PlanLimits, string>();

function limitsText(limits: PlanLimits): string {
  let text = spelled.get(limits);
  if (text === undefined) {
    text = String(limits.perMinute).padStart(9, '0') + String(limits.perDay).padStart(9, '0');
    spelled.set(limits, text);
  }
  return text;
}

/** What a request is, for the charge script: limits, count and kind in 23 digits. */
export function spellRequest({ limits, bannable, numerous }: RateLimitSubject, count: number): string {
  return limitsText(limits) + fourDigits(count) + (bannable ? '1' : numerous ? '2' : '0');
}

function fourDigits(count: number): string {
  return count === 1 ? '0001' : String(count).padStart(4, '0');
}

/** The snapshot number `index` of a reply of the charge script. */
export function readSnapshot(reply: Buffer, index: number): RedisSnapshot {
  const start = PROLOGUE_BYTES + index * SNAPSHOT_BYTES;
  const flag = reply.readUInt8(start + 31);
  return {
    now: reply.readDoubleLE(0),
    admitted: reply.readUInt32LE(start),
    plainRefusals: reply.readUInt32LE(start + 4),
    minuteUsed: reply.readUInt32LE(start + 8),
    dayUsed: reply.readUInt32LE(start + 12),
    minuteResetMs: reply.readUInt32LE(start + 16),
    dayResetMs: reply.readUInt32LE(start + 20),
    banMs: reply.readUInt32LE(start + 24),
    bans: reply.readUInt16LE(start + 28),
    banStarted: flag === BAN_STARTED,
    generation: reply.readUInt8(start + 30),
    stale: flag === STALE,
  };
}
