import type { PlanLimits } from '../plan.js';
import type { RateLimitSubject } from '../rate-limit-subject.js';
import type { Standing } from '../standing.js';
import type { Decision } from './decision.js';

/** Bytes in front of the standings: the time of the decision. */
const PROLOGUE_BYTES = 8;
const STANDING_BYTES = 31;

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

/** What the charge script takes as its second argument; `mostOf` says how many of a decision's requests may be admitted. */
export function spellRequests(
  decisions: readonly Decision[],
  mostOf: (subject: RateLimitSubject, count: number) => number,
): string {
  let text = '';
  for (const { subject, count } of decisions) {
    const most = mostOf(subject, count);
    text +=
      limitsText(subject.limits) + fourDigits(count) + fourDigits(most) + (subject.bannable ? '1' : '0');
  }
  return text;
}

function fourDigits(count: number): string {
  return count === 1 ? '0001' : String(count).padStart(4, '0');
}

/** The standing number `index` of a reply of the charge script. */
export function readStanding(reply: Buffer, index: number): Standing {
  const start = PROLOGUE_BYTES + index * STANDING_BYTES;
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
    banStarted: reply.readUInt8(start + 30) === 1,
  };
}
