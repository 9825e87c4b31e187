import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RateLimits } from '@petstore/rate-limit';
import type { KeyId } from '../key/key-id.js';
import type { KeyOrigins } from '../key/key-origins.js';
import type { Scope } from '../scopes/scope-registry.js';

/** The sender of a request, as its accepted key says. */
export interface Caller {
  readonly keyId: KeyId;
  /** What the operator called the key. */
  readonly name: string;
  /** The name of its plan. */
  readonly plan: string;
  readonly limits: RateLimits;
  /** Including scopes that this process does not know: no handler requires them. */
  readonly scopes: ReadonlySet<Scope>;
  /** The sites whose pages may use a publishable key; a secret one has none. */
  readonly origins?: KeyOrigins | undefined;
}

const SUBJECT_PREFIX = 'key:';

/** What rate limiters count a key under, in every process: `key:` and its id. */
export function subjectIdOf(keyId: KeyId): string {
  return SUBJECT_PREFIX + keyId;
}

/** The key that a rate limiter counts under this name; `undefined` for an address. */
export function keyIdOfSubject(subjectId: string): KeyId | undefined {
  return subjectId.startsWith(SUBJECT_PREFIX) ? (subjectId.slice(SUBJECT_PREFIX.length) as KeyId) : undefined;
}

const CALLER = Symbol('caller');

/** Property of the request rather than an entry of a WeakMap: every request pays for this. */
type WithCaller = IncomingMessage & { [CALLER]?: Caller };

/** Notes whose key was accepted: for what replaces the guard in a test. */
export function attachCaller(request: IncomingMessage, caller: Caller): void {
  (request as WithCaller)[CALLER] = caller;
}

/** Whose key the guard accepted for this request; `undefined` when it carries none that was accepted. */
export function callerOf(request: IncomingMessage): Caller | undefined {
  return (request as WithCaller)[CALLER];
}

/** The caller as an argument of a handler: `@Caller() caller: Caller`. The guard has seen to it that there is one. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.getArgByIndex<IncomingMessage>(0)),
);

/** RFC 9110, section 11.4: the scheme in any case, one or more spaces, one token68. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const OTHER_SCHEME = /^(?!bearer(?: |$))\S+(?: |$)/i;

/** A credential was sent, but not as one bearer token: no key has this text. */
const MALFORMED = '';

/**
 * The key that a request presents: `undefined` when it presents none (no Authorization field, an empty
 * one, or another scheme, which RFC 6750, section 3.1, counts as none), a text that no key has when it
 * presents anything but one bearer token.
 *
 * Reads the raw fields: node drops a second Authorization field from `headers` without a word.
 */
export function readBearerToken({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return MALFORMED;
    value = rawHeaders[i + 1];
  }
  if (value === undefined) return undefined;
  const token = BEARER.exec(value)?.[1];
  if (token !== undefined) return token;
  const text = value.trim();
  return text === '' || OTHER_SCHEME.test(text) || /^bearer$/i.test(text) ? undefined : MALFORMED;
}
