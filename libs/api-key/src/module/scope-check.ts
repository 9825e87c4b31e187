import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Access, accessOf, ANY_KEY, WITHOUT_KEY } from '../guard/access.decorator.js';
import { ScopeRegistry } from '../scopes/scope-registry.js';
import { ROUTE_HANDLERS, type RouteHandlers } from './route-handlers.js';

/** Handlers require scopes that no feature defines: no key could ever have them. */
export class UndefinedScopeError extends Error {
  override readonly name = 'UndefinedScopeError';
}

/** Refuses to start an application whose handlers require scopes that nothing defines. */
@Injectable()
export class ScopeCheck implements OnModuleInit {
  constructor(
    @Inject(ScopeRegistry) private readonly scopes: ScopeRegistry,
    @Inject(ROUTE_HANDLERS) private readonly handlers: RouteHandlers,
  ) {}

  /** @throws UndefinedScopeError */
  onModuleInit(): void {
    for (const { controller, handler, name } of this.handlers()) {
      this.check(accessOf(controller), name);
      this.check(accessOf(handler), name);
    }
  }

  private check(access: Access | undefined, name: string): void {
    if (access === undefined || access === WITHOUT_KEY || access === ANY_KEY) return;
    if (this.scopes.find(access) !== undefined) return;
    throw new UndefinedScopeError(
      `${name} requires the scope ${access}, which is not among the scopes given to ApiKeyModule: ` +
        `${this.scopes.all.join(', ') || 'none'}.`,
    );
  }
}
