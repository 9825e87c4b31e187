import type { IncomingMessage } from 'node:http';
import type { PlanLimits, PlanName } from '@petstore/rate-limit';
import type { KeyId } from '../key/key-id.js';
import type { Scope } from '../scopes/scope-registry.js';

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

const CALLER = Symbol('caller');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type WithCaller = IncomingMessage & { [CALLER]?: Caller };

/** Notes whose key the guard has accepted. */
export function attachCaller(request: IncomingMessage, caller: Caller): void {
  (request as WithCaller)[CALLER] = caller;
}

/** Whose key the guard accepted for this request; `undefined` when it carries none that was accepted. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as WithCaller)[CALLER];
}
