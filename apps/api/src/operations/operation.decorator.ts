import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ANY_KEY, RequiresScope, WithAnyKey } from '@petstore/api-key';
import { documentOperation } from './operation-document.js';
import type { OperationOptions } from './operation.js';

const OPERATION = Symbol('operation');

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
