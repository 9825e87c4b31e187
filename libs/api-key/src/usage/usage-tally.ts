import type { KeyId } from '../key/key-id.js';
import type { KeyUsage } from './key-usage.store.js';
import { DAY_MS, utcDay } from './utc-day.js';

/** What was counted for one key on one day. */
export interface Tally {
  keyId: KeyId;
  /** Days since 1970-01-01, UTC. */
  day: number;
  requests: number;
  refused: number;
  lastUsedAt: number | undefined;
  bannedUntil: Date | null | undefined;
}

/** One tally for each key and day, in one order everywhere: two processes never wait for each other's rows. */
export function mergeTallies(tallies: readonly Tally[]): Tally[] {
  const merged = new Map<string, Tally>();
  for (const tally of tallies) {
    const place = `${tally.keyId} ${tally.day}`;
    const sum = merged.get(place);
    if (sum === undefined) {
      merged.set(place, { ...tally });
    } else {
      sum.requests += tally.requests;
      sum.refused += tally.refused;
      sum.lastUsedAt = tally.lastUsedAt ?? sum.lastUsedAt;
      if (tally.bannedUntil !== undefined) sum.bannedUntil = tally.bannedUntil;
    }
  }
  return [...merged.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tally]) => tally);
}

export function toUsage(tally: Tally): KeyUsage {
  return {
    keyId: tally.keyId,
    day: utcDay(new Date(tally.day * DAY_MS)),
    requests: tally.requests,
    refused: tally.refused,
    lastUsedAt: tally.lastUsedAt === undefined ? undefined : new Date(tally.lastUsedAt),
    bannedUntil: tally.bannedUntil,
  };
}
