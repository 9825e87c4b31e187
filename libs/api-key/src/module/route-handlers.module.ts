import { Module } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ROUTE_HANDLERS, type RouteHandler, type RouteHandlers } from './route-handlers.js';

/** Finds the handlers of an application. Apart, because it needs @nestjs/core, which a command line does not load. */
@Module({
  providers: [
    {
      provide: ROUTE_HANDLERS,
      inject: [ModulesContainer],
      useFactory:
        (modules: ModulesContainer): RouteHandlers =>
        () =>
          [...modules.values()].flatMap(({ controllers }) =>
            [...controllers.values()].flatMap(({ metatype }) => handlersOf(metatype)),
          ),
    },
  ],
  exports: [ROUTE_HANDLERS],
})
export class RouteHandlersModule {}

function handlersOf(controller: unknown): RouteHandler[] {
  if (typeof controller !== 'function') return [];
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((method) => {
    const handler = prototype[method];
    return handler === undefined ? [] : [{ controller, handler, name: `${controller.name}.${method}` }];
  });
}
