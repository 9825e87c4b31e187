import type { ApiKey } from '../key/api-key.js';
import type { AuditEntry } from './audit-entry.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyDay } from '../usage/key-usage-history.js';

/** How a key was used of late; a few seconds behind, because it is written in batches. */
export interface KeyActivity {
  readonly lastUsedAt: Date | undefined;
  /** A ban in force, as the service reported it. */
  readonly bannedUntil: Date | undefined;
  /** The days asked for on which the key was used, newest first. */
  readonly days: readonly KeyDay[];
}

/** A key and how it is used. */
export interface KeyOverview extends KeyActivity {
  readonly key: ApiKey;
}

/** A key as it shall be kept, and the audit entry of the change; written together or not at all. */
export interface KeyChange {
  readonly key: ApiKey;
  readonly entry: AuditEntry;
}

/** What Nest finds the {@link ApiKeyRepository} by. */
export const API_KEY_REPOSITORY = Symbol('ApiKeyRepository');

/** Where keys are kept. Every method rejects with `KeyStoreUnavailableError` when it cannot be reached. */
export interface ApiKeyRepository {
  /** Keeps a new key. */
  add(change: KeyChange): Promise<void>;
  /**
   * Changes a key under a lock: `decide` gets the key as it is and returns how it shall be, or
   * `undefined` to leave it. What `decide` throws is passed on, and nothing has changed.
   *
   * @throws UnknownKeyError
   */
  change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): Promise<ApiKey>;
  /** Whether there is any key at all. */
  isEmpty(): Promise<boolean>;
  /** Every key with its use since the day (`YYYY-MM-DD`, UTC), oldest key first. */
  list(sinceDay: string): Promise<readonly KeyOverview[]>;
  /** One key with its use since the day, or `undefined`. */
  find(id: KeyId, sinceDay: string): Promise<KeyOverview | undefined>;
  /** Every change of a key, oldest first. */
  auditOf(id: KeyId): Promise<readonly AuditEntry[]>;
}
