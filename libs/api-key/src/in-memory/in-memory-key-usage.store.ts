import type { KeyUsage, KeyUsageStore } from '../usage/key-usage.store.js';
import type { KeyRecords } from './key-records.js';

/** The recorder's port over maps. */
export class InMemoryKeyUsageStore implements KeyUsageStore {
  constructor(private readonly records: KeyRecords) {}

  add(batch: readonly KeyUsage[]): Promise<void> {
    for (const usage of batch) {
      const record = this.records.keys.get(usage.keyId);
      if (record === undefined) continue;
      const { requests, refused } = record.days.get(usage.day) ?? { requests: 0, refused: 0 };
      record.days.set(usage.day, {
        requests: requests + usage.requests,
        refused: refused + usage.refused,
      });
      if (record.days.size > this.records.bounds.days) forgetFirst(record.days);
      record.lastUsedAt = usage.lastUsedAt ?? record.lastUsedAt;
      if (usage.bannedUntil !== undefined) record.bannedUntil = usage.bannedUntil ?? undefined;
    }
    return Promise.resolve();
  }
}

function forgetFirst(days: Map<string, unknown>): void {
  for (const first of days.keys()) {
    days.delete(first);
    break;
  }
}
