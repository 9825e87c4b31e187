import { Inject, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { API_BASE_PATH } from './operation.js';
import { OperationRegistry } from './operation-registry.js';
import { routeNameOf } from './route-name.decorator.js';

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

/**
 * What a request is called in the log, in metrics and in traces: the id of its operation, else one of a few
 * words. Made from what the handlers declare, so that a new operation has its name here from the start.
 */
@Injectable()
export class OperationNames {
  /** By path, then by method. */
  private readonly operations = new Map<string, Map<string, string>>();
  /** Of routes that are no operation of the contract, by path. */
  private readonly others = new Map<string, string>();

  constructor(
    @Inject(OperationRegistry) { operations }: OperationRegistry,
    @Inject(DiscoveryService) discovery: DiscoveryService,
  ) {
    for (const { id, method, path } of operations) {
      const route = API_BASE_PATH + path;
      const ofPath = this.operations.get(route) ?? new Map<string, string>();
      this.operations.set(route, ofPath.set(method, id));
    }
    for (const { metatype } of discovery.getControllers()) {
      const name = metatype && routeNameOf(metatype);
      if (name !== undefined && name !== null)
        for (const path of pathsOf(metatype as Type)) this.others.set(path, name);
    }
  }

  /** Once the router has seen the request; `undefined` when it has found no route. */
  of({ route, method: sent = '' }: RoutedRequest): string | undefined {
    const path = route?.path;
    if (typeof path !== 'string') return undefined;
    const method = sent === 'HEAD' ? 'GET' : sent;
    return (
      this.operations.get(path)?.get(method) ??
      this.others.get(path) ??
      (method === 'OPTIONS' ? 'options' : 'unmatched')
    );
  }
}

/** Paths of the handlers of a controller without a path of its own, as Nest gives them to the router. */
function pathsOf({ prototype }: Type): string[] {
  return new MetadataScanner().getAllMethodNames(prototype as object).flatMap((name) => {
    const handler = (prototype as Record<string, object>)[name];
    const path = handler && (Reflect.getMetadata(PATH_METADATA, handler) as string | undefined);
    return path === undefined ? [] : [`/${path.replace(/^\//, '')}`];
  });
}
