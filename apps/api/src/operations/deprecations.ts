import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setHeaders } from '@petstore/http-server';
import { API_BASE_URL } from './api-base-url.js';
import { type Clock, CLOCK } from './clock.js';
import { Deprecation, type DeprecationSettings } from './deprecation.js';
import { OperationRegistry } from './operation-registry.js';

/** Settings of deprecated operations, by the id of the operation. */
export type DeprecationOverrides = Readonly<Record<string, DeprecationSettings>>;

/** Injection token of {@link DeprecationOverrides}. */
export const DEPRECATION_OVERRIDES = Symbol('DeprecationOverrides');

/** The deprecated operations of the application. */
@Injectable()
export class Deprecations {
  private readonly byHandler = new Map<object, Deprecation>();

  /** @throws Error for settings of an operation that is not deprecated */
  constructor(
    private readonly registry: OperationRegistry,
    @Inject(DEPRECATION_OVERRIDES) overrides: DeprecationOverrides,
    @Inject(API_BASE_URL) baseUrl: string,
    @Inject(CLOCK) now: Clock,
  ) {
    const unknown = new Set(Object.keys(overrides));
    for (const { id, handler, deprecation } of registry.operations) {
      if (deprecation === undefined) continue;
      unknown.delete(id);
      this.byHandler.set(handler, new Deprecation(deprecation, overrides[id] ?? {}, baseUrl, now));
    }
    for (const id of unknown) throw new Error(`There is no deprecated operation ${id}.`);
  }

  /** `undefined` for handlers of operations that are not deprecated. */
  of(handler: object): Deprecation | undefined {
    return this.byHandler.get(handler);
  }

  /** Puts the notice on the response to a request that is refused before it is routed. */
  announceUnrouted({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const operation = this.registry.match(method, url);
    const deprecation = operation && this.of(operation.handler);
    if (deprecation !== undefined) setHeaders(response, deprecation.notice);
  }
}
