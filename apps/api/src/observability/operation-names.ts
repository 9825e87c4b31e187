import type { IncomingMessage } from 'node:http';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { isOfDocs } from '../docs/docs-files.js';
import { operationIdOf } from '../operations/operation.decorator.js';

/** What the router has found for a request, as Express notes it. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

/** What the probes are called. */
export const HEALTH = 'health';

/** Routes that are no operation of the contract. */
const OTHERS: Readonly<Record<string, string>> = {
  '/livez': HEALTH,
  '/readyz': HEALTH,
};

/**
 * What a request is called in the log, in metrics and in traces: the id of its operation, else one of a few
 * words. Made from what the handlers declare, so that a new operation has its name here from the start.
 */
export class OperationNames {
  /** By path, then by method. */
  private readonly names = new Map<string, Map<string, string>>();

  /** @param controllers all of the app */
  constructor(controllers: readonly Type[]) {
    for (const controller of controllers) {
      for (const handler of handlersOf(controller)) {
        const id = operationIdOf(handler);
        if (id !== undefined) this.name(pathOf(controller, handler), methodOf(handler), id);
      }
    }
  }

  /** Once the router has seen the request. */
  of(request: RoutedRequest): string {
    const route = request.route?.path;
    if (typeof route !== 'string') return isOfDocs(request.url ?? '') ? 'docs' : 'unmatched';
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    return (
      this.names.get(route)?.get(method) ?? OTHERS[route] ?? (method === 'OPTIONS' ? 'options' : 'unmatched')
    );
  }

  private name(path: string, method: string, id: string): void {
    const ofPath = this.names.get(path) ?? new Map<string, string>();
    this.names.set(path, ofPath.set(method, id));
  }
}

function handlersOf({ prototype }: Type): object[] {
  return Object.getOwnPropertyNames(prototype)
    .map((name) => (prototype as Record<string, unknown>)[name])
    .filter((member): member is object => typeof member === 'function');
}

function methodOf(handler: object): string {
  return RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
}

/** As Nest gives it to the router: `/v1/pets/:petId`. */
function pathOf(controller: Type, handler: object): string {
  const parts = [controller, handler].flatMap((at) =>
    (Reflect.getMetadata(PATH_METADATA, at) as string).split('/').filter((part) => part !== ''),
  );
  return `/${parts.join('/')}`;
}
