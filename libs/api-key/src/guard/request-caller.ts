import type { IncomingMessage } from 'node:http';
import type { Caller } from '../key/caller.js';

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
