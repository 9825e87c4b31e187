import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { OperationDeclaration } from './operation.js';

const OPERATION = Symbol('operation');

/** Notes which operation a handler carries out. */
export const CarriesOut = (operation: OperationDeclaration): CustomDecorator<symbol> =>
  SetMetadata(OPERATION, operation);

/** An operation and the handler that carries it out. */
export interface HandledOperation extends OperationDeclaration {
  readonly handler: object;
}

/** The operations that the methods of a controller carry out, in the order in which they stand there. */
export function operationsOf({ prototype }: { readonly prototype: object }): readonly HandledOperation[] {
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof handler !== 'function') return [];
    const operation = Reflect.getMetadata(OPERATION, handler) as OperationDeclaration | undefined;
    return operation === undefined ? [] : [{ ...operation, handler }];
  });
}
