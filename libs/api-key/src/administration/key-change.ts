import type { PlanLimits, PlanName } from '@petstore/rate-limit';
import type { ApiKey } from '../key/api-key.js';

/** A key as an operator asks for it. */
export interface NewKey {
  readonly name: string;
  readonly plan: PlanName;
  /** Enterprise only. */
  readonly limits?: Partial<PlanLimits>;
  /** The defaults of the registry unless said; only such as it defines. */
  readonly scopes?: readonly string[];
  /** Never unless said. */
  readonly expiresAt?: Date | undefined;
}

/** What shall be different; what is left out stays. */
export interface KeyUpdate {
  readonly name?: string;
  readonly plan?: PlanName;
  /** Enterprise only; one of the two numbers may be left as it is. */
  readonly limits?: Partial<PlanLimits>;
  /** Such as the registry defines, and those that the key has already. */
  readonly scopes?: readonly string[];
  /** `undefined`, when given, for never. */
  readonly expiresAt?: Date | undefined;
}

/** A key after a change. */
export interface ChangedKey {
  readonly key: ApiKey;
  /** Whether every process was notified; otherwise each finds out within 10 seconds. */
  readonly announced: boolean;
}

/** A key with its new secret, which is kept nowhere: this is the only time it can be shown. */
export interface IssuedKey extends ChangedKey {
  readonly secret: string;
}
