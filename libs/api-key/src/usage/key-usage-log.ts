import type { KeyId } from '../key/key-id.js';

/** Records how keys are used. Called for every request: must cost next to nothing and never fail. */
export abstract class KeyUsageLog {
  /** A request came with an accepted key, whatever became of it afterwards. */
  abstract used(keyId: KeyId): void;
  /** The limiter refused such a request (429). */
  abstract refused(keyId: KeyId): void;
  /** The key is banned until this moment; `undefined` when a ban was lifted. */
  abstract banned(keyId: KeyId, until: Date | undefined): void;
}
