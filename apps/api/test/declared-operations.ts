import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { RESOURCE_MODULES } from '../src/app.module.js';
import { OperationRegistry } from '../src/operations/operation-registry.js';

/** Every operation of the service and every error, as the service's own registry has them. */
export const registry = new OperationRegistry({
  getControllers: () =>
    RESOURCE_MODULES.flatMap(controllersOf).map((metatype) => ({ metatype })) as ReturnType<
      ConstructorParameters<typeof OperationRegistry>[0]['getControllers']
    >,
});

function controllersOf(module: Type): Type[] {
  const of = (key: string): Type[] => (Reflect.getMetadata(key, module) as Type[] | undefined) ?? [];
  return [...of(MODULE_METADATA.CONTROLLERS), ...of(MODULE_METADATA.IMPORTS).flatMap(controllersOf)];
}

/** The error with this code. */
export function errorOf(code: string): (typeof registry.errors)[number] {
  const error = registry.errors.find((each) => each.code === code);
  if (error === undefined) throw new Error(`No operation responds with ${code}.`);
  return error;
}
