import { type CustomDecorator, SetMetadata } from '@nestjs/common';

const ROUTE_NAME = Symbol('route name');

/** What all routes of a controller without operations of the contract are called in the log and in metrics. */
export const RouteName = (name: string): CustomDecorator<symbol> => SetMetadata(ROUTE_NAME, name);

/** The name that {@link RouteName} gave a controller. */
export function routeNameOf(controller: object): string | undefined {
  return Reflect.getMetadata(ROUTE_NAME, controller) as string | undefined;
}
