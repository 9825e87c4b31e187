import type { PlanLimits, PlanName } from '@petstore/rate-limit';
import type { KeyId } from './key-id.js';
import type { Scope } from '../scopes/scope.js';

/** The sender of a request, as its accepted key says. */
export interface Caller {
  readonly keyId: KeyId;
  /** What the operator called the key. */
  readonly name: string;
  readonly plan: PlanName;
  readonly limits: PlanLimits;
  /** Also such as this process does not know: nothing asks for them. */
  readonly scopes: ReadonlySet<Scope>;
}
