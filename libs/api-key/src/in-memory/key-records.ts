import type { AuditEntry } from '../administration/audit-entry.js';
import type { ApiKey } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyHash } from '../secrets/pepper.js';

/** How much the store holds. */
export interface InMemoryBounds {
  /** Most keys, revoked ones included; 10,000 unless said. */
  readonly keys: number;
  /** Most audit entries of a key; the oldest go first. 100 unless said. */
  readonly auditEntries: number;
  /** Most days of use of a key; the oldest go first. 400 unless said. */
  readonly days: number;
}

/** A key with what belongs to it. */
export interface KeyRecord {
  key: ApiKey;
  readonly audit: AuditEntry[];
  lastUsedAt: Date | undefined;
  bannedUntil: Date | undefined;
  /** By day (`YYYY-MM-DD`, UTC), in the order in which they were first used. */
  readonly days: Map<string, { requests: number; refused: number }>;
}

/** The tables of the in-memory store. */
export class KeyRecords {
  readonly keys = new Map<KeyId, KeyRecord>();
  /** Every secret, and whose it is. */
  readonly secrets = new Map<KeyHash, KeyId>();

  constructor(
    readonly bounds: InMemoryBounds,
    readonly now: () => Date,
  ) {}

  /** Makes the secrets of the key those that it has; secrets that have ended are forgotten. */
  indexSecrets(before: ApiKey | undefined, key: ApiKey): void {
    for (const { hash } of before?.secrets ?? []) this.secrets.delete(hash);
    for (const { hash } of key.secrets) this.secrets.set(hash, key.id);
  }
}
