import type { KeyId } from '../key/key-id.js';

/** What Nest finds the {@link KeyUsageLog} by. */
export const KEY_USAGE_LOG = Symbol('KeyUsageLog');

/** Records how keys are used. Called for every request: must cost next to nothing and never fail. */
export interface KeyUsageLog {
  /** A request came with an accepted key, whatever became of it afterwards. */
  used(keyId: KeyId): void;
  /** The limiter refused such a request (429). */
  refused(keyId: KeyId): void;
  /** The key is banned until this moment; `undefined` when a ban was lifted. */
  banned(keyId: KeyId, until: Date | undefined): void;
}
