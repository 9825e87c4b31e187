import type { ApiKey } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyDay } from '../usage/key-usage-recorder.js';

/** A key and how it was used of late; a few seconds behind, because use is written in batches. */
export interface KeyOverview {
  readonly key: ApiKey;
  readonly lastUsedAt: Date | undefined;
  /** A ban in force, as the service reported it. */
  readonly bannedUntil: Date | undefined;
  /** The days asked for on which the key was used, newest first. */
  readonly days: readonly KeyDay[];
}

/** One change of a key: when, what, by whom. Only ever added. */
export interface AuditEntry {
  readonly keyId: KeyId;
  readonly at: Date;
  readonly action: 'created' | 'updated' | 'rotated' | 'revoked' | 'unbanned';
  /** Who did it: an operating-system user, or whom the operator named. */
  readonly by: string;
  /** What changed, in words for a person; never a secret. */
  readonly details: Readonly<Record<string, string>>;
}

/** A key as it shall be kept, and the audit entry of the change; written together or not at all. */
export interface KeyChange {
  readonly key: ApiKey;
  /** One with the action `unbanned` also removes the ban that was reported of the key. */
  readonly entry: AuditEntry;
}

/** Where keys are kept. Every method rejects with `KeyStoreUnavailableError` when it cannot be reached. */
export abstract class ApiKeyRepository {
  /** Keeps a new key. */
  abstract add(change: KeyChange): Promise<void>;
  /**
   * Changes a key under a lock: `decide` gets the key as it is and returns how it shall be, or
   * `undefined` to leave it. What `decide` throws is passed on, and nothing has changed.
   *
   * @throws UnknownKeyError
   */
  abstract change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): Promise<ApiKey>;
  /** Whether there is any key at all. */
  abstract isEmpty(): Promise<boolean>;
  /** Every key with its use since the day (`YYYY-MM-DD`, UTC), oldest key first. */
  abstract list(sinceDay: string): Promise<readonly KeyOverview[]>;
  /** One key with its use since the day, or `undefined`. */
  abstract find(id: KeyId, sinceDay: string): Promise<KeyOverview | undefined>;
  /** Every change of a key, oldest first. */
  abstract auditOf(id: KeyId): Promise<readonly AuditEntry[]>;
}
