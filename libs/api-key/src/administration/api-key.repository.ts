import type { ApiKey } from '../key/api-key.js';
import type { KeyId } from '../key/key-id.js';
import type { KeyMode } from '../secrets/key-signer.js';
import type { KeyDay } from '../usage/key-usage-recorder.js';

/** A key and its recent use; a few seconds behind, because use is written in batches. */
export interface KeyOverview {
  readonly key: ApiKey;
  readonly lastUsedAt: Date | undefined;
  /** A ban in force, as the service reported it. */
  readonly bannedUntil: Date | undefined;
  /** The requested days on which the key was used, newest first. */
  readonly days: readonly KeyDay[];
}

/** One change of a key: when, what, by whom. Only ever added. */
export interface AuditEntry {
  readonly keyId: KeyId;
  readonly at: Date;
  readonly action: 'created' | 'updated' | 'rotated' | 'revoked' | 'unbanned';
  /** An operating-system user, or the name that the operator gave. */
  readonly by: string;
  /** What changed, in words for a person; never a secret. */
  readonly details: Readonly<Record<string, string>>;
}

/** The new state of a key and the audit entry of the change, written in one transaction. */
export interface KeyChange {
  readonly key: ApiKey;
  /** With the action `unbanned` the reported ban is deleted, too. */
  readonly entry: AuditEntry;
}

/** Port: stores keys. Methods reject with `KeyStoreUnavailableError` when the store is unavailable. */
export abstract class ApiKeyRepository {
  abstract add(change: KeyChange): Promise<void>;
  /**
   * Changes a key under a lock: `decide` gets the current key and returns the change, or `undefined` for none. An error
   * of `decide` is passed on, and nothing has changed.
   *
   * @throws UnknownKeyError
   */
  abstract change(id: KeyId, decide: (key: ApiKey) => KeyChange | undefined): Promise<ApiKey>;
  /** Whether there is any key at all. */
  abstract isEmpty(): Promise<boolean>;
  /** Whether there are keys that are not revoked, and none of them has a secret under one of these peppers. */
  abstract hasOnlyUnknownPeppers(pepperIds: readonly string[]): Promise<boolean>;
  /** Whether a secret of this mode is accepted. */
  abstract hasKeyOfMode(mode: KeyMode): Promise<boolean>;
  /** Every key with its use since the day (`YYYY-MM-DD`, UTC), oldest key first. */
  abstract list(sinceDay: string): Promise<readonly KeyOverview[]>;
  /** One key with its use since the day, or `undefined`. */
  abstract find(id: KeyId, sinceDay: string): Promise<KeyOverview | undefined>;
  /** Every change of a key, oldest first. */
  abstract auditOf(id: KeyId): Promise<readonly AuditEntry[]>;
}
