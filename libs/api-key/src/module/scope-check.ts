import { type DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type Access, ACCESS_METADATA } from '../guard/access.decorator.js';
import type { ScopeRegistry } from '../scopes/scope-registry.js';

/**
 * Refuses to start an application whose handlers require scopes that no feature defines: no key could ever have them.
 *
 * @throws Error that names the first such handler
 */
export function checkScopes(discovery: DiscoveryService, scopes: ScopeRegistry): void {
  const [scanner, reflector] = [new MetadataScanner(), new Reflector()];
  for (const { metatype: controller } of discovery.getControllers()) {
    if (controller === null) continue;
    const prototype = controller.prototype as Record<string, () => unknown>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      for (const target of [controller, prototype[method]]) {
        const access = target && reflector.get<Access | undefined>(ACCESS_METADATA, target);
        if (typeof access !== 'string' || scopes.find(access) !== undefined) continue;
        throw new Error(
          `${controller.name}.${method} requires the scope ${access}, which is not among the scopes given to ` +
            `ApiKeyModule: ${scopes.all.join(', ') || 'none'}.`,
        );
      }
    }
  }
}
