import type { CustomDecorator, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Scope } from '../scopes/scope-registry.js';

/** The handler is open to everybody. A symbol, because any text may be a scope. */
export const WITHOUT_KEY = Symbol('without key');

/** The handler needs an accepted key, whatever its scopes. */
export const ANY_KEY = Symbol('any key');

/** The handler needs an accepted key that is secret, whatever its scopes. */
export const ANY_SECRET_KEY = Symbol('any secret key');

/** What a handler requires of a request's key. Without any mark: {@link ANY_KEY}. */
export type Access = typeof WITHOUT_KEY | typeof ANY_KEY | typeof ANY_SECRET_KEY | Scope;

/** Marks a handler or a controller with its {@link Access}; the decorators below do. */
export const RequiresAccess = Reflector.createDecorator<Access>();

/**
 * The handler needs a key that has the scope; otherwise the response is 403 `insufficient_scope`. `ApiKeyModule`
 * refuses to start when nothing defines the scope.
 *
 * @throws Error when the text is no scope
 */
export function RequiresScope(name: string): CustomDecorator {
  const scope = Scope.parse(name);
  if (scope === undefined) throw new Error(`"${name}" is no name of a scope.`);
  return RequiresAccess(scope);
}

/** The handler needs an accepted key that is secret: publishable ones get 403 `insufficient_scope`. */
export const WithAnySecretKey = (): CustomDecorator => RequiresAccess(ANY_SECRET_KEY);

/** The handler, or every handler of the controller, is open to everybody: the guard lets all requests pass. */
export const WithoutKey = (): CustomDecorator => RequiresAccess(WITHOUT_KEY);

/** What the handler of a request requires, or its controller. */
export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<Access | undefined>(RequiresAccess, targets) ?? ANY_KEY;
}
