import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { AppModule } from '../../src/app.module.js';
import type { HandledOperation } from '../../src/operations/operation.js';
import { OperationRegistry } from '../../src/operations/operation-registry.js';

const controllers = [...new Set(controllersOf(AppModule))];

/** Every operation of the service and every error, as the service's own registry has them. */
export const registry = new OperationRegistry({
  getControllers: () => controllers.map((metatype) => ({ metatype })),
} as unknown as DiscoveryService);

function controllersOf(module: Type): Type[] {
  const of = (key: string): Type[] => (Reflect.getMetadata(key, module) as Type[] | undefined) ?? [];
  return [...of(MODULE_METADATA.CONTROLLERS), ...of(MODULE_METADATA.IMPORTS).flatMap(controllersOf)];
}

/** The controller of a handler. */
export function controllerOf(handler: HandledOperation['handler']): Type {
  const controller = controllers.find(({ prototype }) =>
    Object.values(Object.getOwnPropertyDescriptors(prototype)).some(({ value }) => value === handler),
  );
  if (controller === undefined) throw new Error('The handler is in no controller.');
  return controller;
}

/** The error with this code. */
export function errorOf(code: string): (typeof registry.errors)[number] {
  const error = registry.errors.find((each) => each.code === code);
  if (error === undefined) throw new Error(`No operation responds with ${code}.`);
  return error;
}
