import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Deprecation, type DeprecationSettings, type DeprecationSurroundings } from './deprecation.js';
import { API_BASE_PATH } from './operation.js';
import { OperationRegistry } from './operation-registry.js';
import { RoutePattern } from './route-pattern.js';

/** What deprecated operations are told from outside. */
export interface DeprecationOptions extends DeprecationSurroundings {
  /** By the id of the operation. */
  readonly settings: Readonly<Record<string, DeprecationSettings>>;
}

/** Injection token of {@link DeprecationOptions}. */
export const DEPRECATION_OPTIONS = Symbol('DeprecationOptions');

interface Deprecated {
  readonly method: string;
  readonly pattern: RoutePattern;
  readonly deprecation: Deprecation;
}

/**
 * Puts its notice on every answer of a deprecated operation, refusals included. As a guard it refuses nobody; it is
 * one because guards are the first in Nest to know the handler, and it comes before all others.
 */
@Injectable()
export class DeprecationNotices implements CanActivate {
  private readonly byHandler = new Map<object, Deprecation>();
  private readonly deprecated: readonly Deprecated[];

  /** @throws Error for settings of an operation that is not deprecated */
  constructor(
    @Inject(OperationRegistry) { operations }: OperationRegistry,
    @Inject(DEPRECATION_OPTIONS) options: DeprecationOptions,
  ) {
    const settings = new Map(Object.entries(options.settings));
    this.deprecated = operations.flatMap(({ id, method, path, handler, deprecation: declaration }) => {
      if (declaration === undefined) return [];
      const deprecation = new Deprecation(declaration, settings.get(id) ?? {}, options);
      settings.delete(id);
      this.byHandler.set(handler, deprecation);
      return [{ method, pattern: new RoutePattern(API_BASE_PATH + path), deprecation }];
    });
    const [unknown] = settings.keys();
    if (unknown !== undefined) throw new Error(`There is no deprecated operation ${unknown}.`);
  }

  canActivate(context: ExecutionContext): boolean {
    this.of(context.getHandler())?.announce(context.switchToHttp().getResponse<ServerResponse>());
    return true;
  }

  /** Puts the notice on the answer to a request that is refused before it is routed. */
  announceUnrouted({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const asked = method === 'HEAD' ? 'GET' : method;
    for (const { method, pattern, deprecation } of this.deprecated)
      if (method === asked && pattern.matches(url)) deprecation.announce(response);
  }

  /** `undefined` for handlers of operations that are not deprecated. */
  of(handler: object): Deprecation | undefined {
    return this.byHandler.get(handler);
  }
}
