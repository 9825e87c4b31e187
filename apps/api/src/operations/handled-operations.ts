import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { operationOf } from './operation.decorator.js';
import { API_BASE_PATH, type HandledOperation, type OperationMethod } from './operation.js';
import { routeNameOf } from './route-name.decorator.js';

/** A route that Nest's decorators give a handler of a controller. */
interface HandledRoute {
  readonly method: OperationMethod;
  /** As Express writes it: `/v1/pets/:petId`. */
  readonly path: string;
  readonly handler: object;
}

/** The operations that the methods of a controller carry out, in the order in which they stand there. */
export function operationsOf(controller: Type): readonly HandledOperation[] {
  return routesOf(controller).flatMap(({ method, path, handler }) => {
    const operation = operationOf(handler);
    if (operation === undefined) return [];
    if (!path.startsWith(`${API_BASE_PATH}/`))
      throw new Error(`${operation.id} is not under ${API_BASE_PATH}.`);
    return [{ ...operation, method, path: path.slice(API_BASE_PATH.length), handler }];
  });
}

/** Paths of a controller whose routes have one name together, see `RouteName`; with the name. */
export function namedRoutesOf(controller: Type): readonly (readonly [path: string, name: string])[] {
  const name = routeNameOf(controller);
  return name === undefined ? [] : routesOf(controller).map(({ path }) => [path, name] as const);
}

function routesOf(controller: Type): readonly HandledRoute[] {
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    const path = typeof handler === 'function' ? pathOf(handler) : undefined;
    if (typeof handler !== 'function' || path === undefined) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as OperationMethod;
    return [{ method, path: joined(pathOf(controller), path), handler }];
  });
}

/** The path of a controller or handler, as Nest's decorators keep it; `undefined` for none, or several. */
function pathOf(target: object): string | undefined {
  const path: unknown = Reflect.getMetadata(PATH_METADATA, target);
  return typeof path === 'string' ? path : undefined;
}

/** As Nest joins the paths of a controller and its handlers. */
function joined(...paths: readonly (string | undefined)[]): string {
  const segments = paths.flatMap((path = '') => path.split('/').filter((segment) => segment !== ''));
  return `/${segments.join('/')}`;
}
