import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type Access, ACCESS_METADATA } from '../guard/access.decorator.js';
import { ScopeRegistry } from '../scopes/scope-registry.js';

/** Handlers require scopes that no feature defines: no key could ever have them. */
export class UndefinedScopeError extends Error {
  override readonly name = 'UndefinedScopeError';
}

/** Refuses to start an application whose handlers require scopes that nothing defines. */
@Injectable()
export class ScopeCheck implements OnModuleInit {
  constructor(
    private readonly scopes: ScopeRegistry,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws UndefinedScopeError */
  onModuleInit(): void {
    const scanner = new MetadataScanner();
    for (const { metatype: controller } of this.discovery.getControllers()) {
      if (controller === null) continue;
      const prototype = controller.prototype as Record<string, () => unknown>;
      for (const method of scanner.getAllMethodNames(prototype)) {
        const name = `${controller.name}.${method}`;
        for (const target of [controller, prototype[method]])
          this.check(target && this.reflector.get<Access | undefined>(ACCESS_METADATA, target), name);
      }
    }
  }

  private check(access: Access | undefined, name: string): void {
    if (typeof access !== 'string' || this.scopes.find(access) !== undefined) return;
    throw new UndefinedScopeError(
      `${name} requires the scope ${access}, which is not among the scopes given to ApiKeyModule: ` +
        `${this.scopes.all.join(', ') || 'none'}.`,
    );
  }
}
