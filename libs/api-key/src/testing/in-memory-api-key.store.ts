import type { ApiKeyRepository, AuditEntry, KeyOverview } from '../administration/api-key.repository.js';
import type { FoundKey, KeyLookup } from '../cache/api-key-cache.js';
import type { ApiKey } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';
import { UnknownKeyError } from '../key/key.errors.js';
import type { ApiKeyStore } from '../module/api-key.module.js';
import type { KeyHash } from '../secrets/key-signer.js';
import type { KeyDay, KeyUsage, KeyUsageStore } from '../usage/key-usage-recorder.js';

/** A key with what belongs to it. */
interface KeyRecord {
  key: ApiKey;
  readonly audit: AuditEntry[];
  lastUsedAt: Date | undefined;
  bannedUntil: Date | undefined;
  readonly days: Map<string, KeyDay>;
}

/** Keys in the memory of one process, behind all ports of this library: for tests and examples. It is not bounded. */
export class InMemoryApiKeyStore implements ApiKeyStore {
  private readonly records = new Map<KeyId, KeyRecord>();

  readonly lookup: KeyLookup = { find: (hash) => Promise.resolve(this.findUsable(hash)) };

  readonly usage: KeyUsageStore = {
    add: (batch) => {
      for (const usage of batch) this.count(usage);
      return Promise.resolve();
    },
  };

  readonly repository: ApiKeyRepository = {
    add: ({ key, entry }) => {
      const unused = { lastUsedAt: undefined, bannedUntil: undefined, days: new Map<string, KeyDay>() };
      this.records.set(key.id, { key, audit: [entry], ...unused });
      return Promise.resolve();
    },
    // oxlint-disable-next-line typescript/require-await -- what it throws is a rejection
    change: async (id, decide) => {
      const record = this.records.get(id);
      if (record === undefined) throw new UnknownKeyError(id);
      const change = decide(record.key);
      if (change === undefined) return record.key;
      record.key = change.key;
      record.audit.push(change.entry);
      if (change.entry.action === 'unbanned') record.bannedUntil = undefined;
      return record.key;
    },
    isEmpty: () => Promise.resolve(this.records.size === 0),
    hasOnlyUnknownPeppers: (pepperIds) => {
      const keys = [...this.records.values()].map(({ key }) => key).filter(({ revokedAt }) => !revokedAt);
      const isOurs = (key: ApiKey): boolean =>
        key.secrets.some(({ pepperId }) => pepperIds.includes(pepperId));
      return Promise.resolve(keys.length > 0 && !keys.some(isOurs));
    },
    hasKeyOfMode: (mode) => {
      const secrets = [...this.records.values()].flatMap(({ key }) =>
        key.stateAt(new Date()) === 'active' ? key.secretsAt(new Date()) : [],
      );
      return Promise.resolve(secrets.some(({ hint }) => hint.prefix.endsWith(`_${mode}_`)));
    },
    list: (since) => Promise.resolve([...this.records.values()].map((record) => overviewOf(record, since))),
    find: (id, since) => {
      const record = this.records.get(id);
      return Promise.resolve(record && overviewOf(record, since));
    },
    auditOf: (id) => Promise.resolve([...(this.records.get(id)?.audit ?? [])]),
  };

  /** @param now the system's clock unless given */
  constructor(private readonly now: () => Date = () => new Date()) {}

  private findUsable(hash: KeyHash): FoundKey | undefined {
    const now = this.now();
    for (const { key } of this.records.values()) {
      const secret = key.secretsAt(now).find((one) => one.hash === hash);
      if (secret === undefined || key.stateAt(now) !== 'active') continue;
      const { name, plan, scopes, expiresAt, origins } = key.settings;
      const ends = [expiresAt, secret.validUntil].filter((end) => end !== undefined);
      return {
        usableUntil: ends.sort((a, b) => a.getTime() - b.getTime())[0],
        ...{ keyId: key.id, name, plan, scopes: new Set(scopes), origins },
      };
    }
    return undefined;
  }

  private count({ keyId, day, requests, refused, lastUsedAt, bannedUntil }: KeyUsage): void {
    const record = this.records.get(keyId);
    if (record === undefined) return;
    const before = record.days.get(day) ?? { requests: 0, refused: 0 };
    record.days.set(day, { day, requests: before.requests + requests, refused: before.refused + refused });
    record.lastUsedAt = lastUsedAt ?? record.lastUsedAt;
    record.bannedUntil = bannedUntil ?? record.bannedUntil;
  }
}

function overviewOf({ key, lastUsedAt, bannedUntil, days }: KeyRecord, sinceDay: string): KeyOverview {
  const shown = [...days.values()].filter(({ day }) => day >= sinceDay);
  return { key, lastUsedAt, bannedUntil, days: shown.sort((a, b) => (a.day < b.day ? 1 : -1)) };
}
