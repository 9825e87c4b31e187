import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { ANY_KEY, RequiresScope, WithAnyKey } from '@petstore/api-key';
import { documentOperation } from './operation-document.js';
import type { OperationOptions, ResourceOptions } from './operation.js';

const OPERATION = Symbol('operation');
const RESOURCE = Symbol('resource');

/**
 * Makes a handler an operation of the contract, beside Nest's `@Get('...')` and the like, which give it its route:
 * applies the scope that the guard requires and its part of the document.
 */
export function Operation(options: OperationOptions): MethodDecorator {
  const { scope } = options;
  return applyDecorators(
    SetMetadata(OPERATION, options),
    scope === ANY_KEY ? WithAnyKey() : RequiresScope(scope),
    documentOperation(options),
  );
}

/** What {@link Operation} says of a handler; `undefined` for one that is no operation of the contract. */
export function operationOf(handler: object): OperationOptions | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined;
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
