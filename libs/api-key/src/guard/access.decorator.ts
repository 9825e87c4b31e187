import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Scope } from '../scopes/scope.js';

/** What a handler asks of a request's key. Without any mark: an accepted key, whatever its scopes. */
export type Access = 'without-key' | Scope;

/** Where the guard finds the {@link Access} of a handler or a controller. */
export const ACCESS_METADATA = 'petstore:access';

/** The handler needs a key that has the scope; otherwise the answer is 403 `insufficient_scope`. */
export const RequiresScope = (scope: Scope): CustomDecorator => SetMetadata(ACCESS_METADATA, scope);

/** The handler, or every handler of the controller, is open to everybody: the guard lets all requests pass. */
export const WithoutKey = (): CustomDecorator => SetMetadata(ACCESS_METADATA, 'without-key' satisfies Access);
