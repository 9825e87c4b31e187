import type { ApiKeyRepository, KeyChange, KeyOverview } from '../administration/api-key.repository.js';
import type { AuditEntry } from '../administration/audit-entry.js';
import type { FoundKey, KeyLookup } from '../cache/api-key-cache.js';
import type { ApiKey } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';
import { KeyRuleError, UnknownKeyError } from '../key/key.errors.js';
import type { ApiKeyStore } from '../module/api-key.module.js';
import type { KeyHash } from '../secrets/key-signer.js';
import type { KeyDay, KeyUsage, KeyUsageStore } from '../usage/key-usage.js';

/** How much the store holds. */
export interface InMemoryBounds {
  /** Most keys, revoked ones included; 10,000 unless said. */
  readonly keys: number;
  /** Most audit entries of a key; the oldest go first. 100 unless said. */
  readonly auditEntries: number;
  /** Most days of use of a key; the oldest go first. 400 unless said. */
  readonly days: number;
}

const DEFAULT_BOUNDS: InMemoryBounds = { keys: 10_000, auditEntries: 100, days: 400 };

/** A key with what belongs to it. */
interface KeyRecord {
  key: ApiKey;
  readonly audit: AuditEntry[];
  lastUsedAt: Date | undefined;
  bannedUntil: Date | undefined;
  /** By day, in the order in which they were first used. */
  readonly days: Map<string, KeyDay>;
}

/**
 * Keys in the memory of one process, behind all ports of this library: for tests, and for an application of one
 * process whose keys may be gone after a restart. Holds hashes only, like every store, and no more than its bounds.
 */
export class InMemoryApiKeyStore implements ApiKeyStore {
  private readonly records = new Map<KeyId, KeyRecord>();
  /** Every secret, and whose it is. */
  private readonly secrets = new Map<KeyHash, KeyId>();
  private readonly bounds: InMemoryBounds;

  readonly lookup: KeyLookup = { find: (hash) => promised(() => this.findUsable(hash)) };

  readonly usage: KeyUsageStore = {
    add: (batch) =>
      promised(() => {
        for (const usage of batch) this.count(usage);
      }),
  };

  readonly repository: ApiKeyRepository = {
    add: (change) =>
      promised(() => {
        this.add(change);
      }),
    change: (id, decide) => promised(() => this.change(id, decide)),
    isEmpty: () => promised(() => this.records.size === 0),
    list: (since) => promised(() => [...this.records.values()].map((record) => overviewOf(record, since))),
    find: (id, since) =>
      promised(() => {
        const record = this.records.get(id);
        return record && overviewOf(record, since);
      }),
    auditOf: (id) => promised(() => [...(this.records.get(id)?.audit ?? [])]),
  };

  /** @param now the system's clock unless given */
  constructor(
    bounds: Partial<InMemoryBounds> = {},
    private readonly now: () => Date = () => new Date(),
  ) {
    this.bounds = { ...DEFAULT_BOUNDS, ...bounds };
  }

  private findUsable(hash: KeyHash): FoundKey | undefined {
    const keyId = this.secrets.get(hash);
    const key = keyId && this.records.get(keyId)?.key;
    const now = this.now();
    if (key?.stateAt(now) !== 'active') return undefined;
    const secret = key.secretsAt(now).find((one) => one.hash === hash);
    if (secret === undefined) return undefined;
    const { name, plan, scopes, expiresAt } = key.settings;
    const ends = [expiresAt, secret.validUntil].filter((end) => end !== undefined);
    return {
      usableUntil: ends.sort((a, b) => a.getTime() - b.getTime())[0],
      caller: { keyId: key.id, name, plan: plan.name, limits: plan.limits, scopes: new Set(scopes) },
    };
  }

  private count({ keyId, day, requests, refused, lastUsedAt, bannedUntil }: KeyUsage): void {
    const record = this.records.get(keyId);
    if (record === undefined) return;
    const { days } = record;
    const before = days.get(day) ?? { requests: 0, refused: 0 };
    days.set(day, { day, requests: before.requests + requests, refused: before.refused + refused });
    const [oldest] = days.keys();
    if (days.size > this.bounds.days && oldest !== undefined) days.delete(oldest);
    record.lastUsedAt = lastUsedAt ?? record.lastUsedAt;
    record.bannedUntil = bannedUntil ?? record.bannedUntil;
  }

  private add({ key, entry }: KeyChange): void {
    const { keys: max } = this.bounds;
    if (this.records.size >= max) throw new KeyRuleError(`This store holds at most ${max} keys.`);
    for (const { hash } of key.secrets) this.secrets.set(hash, key.id);
    const unused = { lastUsedAt: undefined, bannedUntil: undefined, days: new Map<string, KeyDay>() };
    this.records.set(key.id, { key, audit: [entry], ...unused });
  }

  private change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): ApiKey {
    const record = this.records.get(id);
    if (record === undefined) throw new UnknownKeyError(id);
    const change = decide(record.key);
    if (change === undefined) return record.key;
    for (const { hash } of record.key.secrets) this.secrets.delete(hash);
    record.key = change.key.withoutEndedSecrets(this.now());
    for (const { hash } of record.key.secrets) this.secrets.set(hash, id);
    if (change.entry.action === 'unbanned') record.bannedUntil = undefined;
    record.audit.push(change.entry);
    if (record.audit.length > this.bounds.auditEntries) record.audit.shift();
    return record.key;
  }
}

function overviewOf({ key, lastUsedAt, bannedUntil, days }: KeyRecord, sinceDay: string): KeyOverview {
  const shown = [...days.values()].filter(({ day }) => day >= sinceDay);
  return { key, lastUsedAt, bannedUntil, days: shown.sort((a, b) => (a.day < b.day ? 1 : -1)) };
}

/** What `work` returns as a promise, and what it throws as its rejection. */
function promised<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
