import { type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { Scope } from '../scopes/scope-registry.js';

/** The handler is open to everybody. A symbol, because any text may be a scope. */
export const WITHOUT_KEY = Symbol('without key');

/** The handler needs an accepted key, whatever its scopes. */
export const ANY_KEY = Symbol('any key');

/** The handler needs an accepted key that is secret, whatever its scopes. */
export const ANY_SECRET_KEY = Symbol('any secret key');

/** What a handler requires of a request's key. Without any mark: {@link ANY_KEY}. */
export type Access = typeof WITHOUT_KEY | typeof ANY_KEY | typeof ANY_SECRET_KEY | Scope;

/** Where the guard finds the {@link Access} of a handler or a controller. */
export const ACCESS_METADATA = 'petstore:access';

/**
 * The handler needs a key that has the scope; otherwise the response is 403 `insufficient_scope`. `ApiKeyModule`
 * refuses to start when no feature defines the scope.
 *
 * @throws Error when the text is no scope
 */
export function RequiresScope(name: string): CustomDecorator {
  const scope = Scope.parse(name);
  if (scope === undefined) throw new Error(`"${name}" is no name of a scope.`);
  return SetMetadata(ACCESS_METADATA, scope);
}

/** The handler needs an accepted key that is secret: publishable ones get 403 `insufficient_scope`. */
export const WithAnySecretKey = (): CustomDecorator => SetMetadata(ACCESS_METADATA, ANY_SECRET_KEY);

/** The handler, or every handler of the controller, is open to everybody: the guard lets all requests pass. */
export const WithoutKey = (): CustomDecorator => SetMetadata(ACCESS_METADATA, WITHOUT_KEY);

/** What the handler of a request requires, or its controller. */
export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<Access | undefined>(ACCESS_METADATA, targets) ?? ANY_KEY;
}
