import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { operationOf } from './operation.decorator.js';
import { API_BASE_PATH, type HandledOperation, type OperationMethod } from './operation.js';

/** The operations that the methods of a controller carry out, in the order in which they stand there. */
export function operationsOf(controller: Type): readonly HandledOperation[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name] ?? {};
    const operation = operationOf(handler);
    const path = pathOf(handler);
    if (operation === undefined || path === undefined) return [];
    const route = joined(pathOf(controller), path);
    if (!route.startsWith(`${API_BASE_PATH}/`))
      throw new Error(`${operation.id} is not under ${API_BASE_PATH}.`);
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as OperationMethod;
    return [{ ...operation, method, path: route.slice(API_BASE_PATH.length), handler }];
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
