import type { ApiKeyRepository, KeyChange, KeyOverview } from '../administration/api-key.repository.js';
import type { AuditEntry } from '../administration/audit-entry.js';
import type { ApiKey } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';
import { KeyRuleError, UnknownKeyError } from '../key/key-rule.error.js';
import type { KeyRecord, KeyRecords } from './key-records.js';

/** The administration's port over maps. */
export class InMemoryApiKeyRepository implements ApiKeyRepository {
  constructor(private readonly records: KeyRecords) {}

  /** @throws KeyRuleError when the store is full */
  add({ key, entry }: KeyChange): Promise<void> {
    return this.run(() => {
      const { keys, bounds } = this.records;
      if (keys.size >= bounds.keys) throw new KeyRuleError(`This store holds at most ${bounds.keys} keys.`);
      this.records.indexSecrets(undefined, key);
      keys.set(key.id, {
        key,
        audit: [entry],
        lastUsedAt: undefined,
        bannedUntil: undefined,
        days: new Map(),
      });
    });
  }

  change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): Promise<ApiKey> {
    return this.run(() => {
      const record = this.records.keys.get(id);
      if (record === undefined) throw new UnknownKeyError(id);
      const change = decide(record.key);
      if (change === undefined) return record.key;
      const key = change.key.withoutEndedSecrets(this.records.now());
      this.records.indexSecrets(record.key, key);
      record.key = key;
      record.audit.push(change.entry);
      if (record.audit.length > this.records.bounds.auditEntries) record.audit.shift();
      return key;
    });
  }

  isEmpty(): Promise<boolean> {
    return this.run(() => this.records.keys.size === 0);
  }

  list(sinceDay: string): Promise<readonly KeyOverview[]> {
    return this.run(() => [...this.records.keys.values()].map((record) => overviewOf(record, sinceDay)));
  }

  find(id: KeyId, sinceDay: string): Promise<KeyOverview | undefined> {
    return this.run(() => {
      const record = this.records.keys.get(id);
      return record && overviewOf(record, sinceDay);
    });
  }

  auditOf(id: KeyId): Promise<readonly AuditEntry[]> {
    return this.run(() => [...(this.records.keys.get(id)?.audit ?? [])]);
  }

  /** As a promise, with what is thrown as its rejection. */
  private run<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve) => {
      resolve(work());
    });
  }
}

function overviewOf({ key, lastUsedAt, bannedUntil, days }: KeyRecord, sinceDay: string): KeyOverview {
  return {
    key,
    lastUsedAt,
    bannedUntil,
    days: [...days]
      .filter(([day]) => day >= sinceDay)
      .map(([day, counts]) => ({ day, ...counts }))
      .sort((a, b) => (a.day < b.day ? 1 : -1)),
  };
}
