import {
  applyDecorators,
  HttpCode,
  RequestMethod,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { ANY_SECRET_KEY, RequiresScope, WithAnySecretKey } from '@petstore/api-key';
import { documentOperation } from './operation-document.js';
import {
  type HandledOperation,
  OPERATION,
  operationOf,
  type OperationMethod,
  type OperationOptions,
  type ResourceOptions,
} from './operation.js';
import { SunsetInterceptor } from './sunset.interceptor.js';
import { API_BASE_PATH } from '../paths.js';

const RESOURCE = Symbol('resource');

/**
 * Makes a handler an operation of the contract, beside Nest's `@Get('...')` and the like, which give it its route:
 * applies its status, the scope that the guard requires, its end and its part of the document.
 */
export function Operation(options: OperationOptions): MethodDecorator {
  const { scope, success, deprecation } = options;
  return applyDecorators(
    SetMetadata(OPERATION, options),
    HttpCode(success.status),
    scope === ANY_SECRET_KEY ? WithAnySecretKey() : RequiresScope(scope),
    ...(deprecation === undefined ? [] : [UseInterceptors(SunsetInterceptor)]),
    documentOperation(options),
  );
}

/** Describes a controller of operations in the document. */
export function Resource(options: ResourceOptions): ClassDecorator {
  const { tag, models = [] } = options;
  return applyDecorators(ApiTags(tag.name), ApiExtraModels(...models), SetMetadata(RESOURCE, options));
}

/** What {@link Resource} says of a controller; `undefined` for one without operations of the contract. */
export function resourceOf(controller: object): ResourceOptions | undefined {
  return Reflect.getMetadata(RESOURCE, controller) as ResourceOptions | undefined;
}

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
