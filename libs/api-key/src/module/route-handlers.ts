/** What Nest finds the {@link RouteHandlers} by. */
export const ROUTE_HANDLERS = Symbol('RouteHandlers');

/** A method of a controller. */
export interface RouteHandler {
  readonly controller: object;
  readonly handler: object;
  /** For people: `CatsController.list`. */
  readonly name: string;
}

/** Every method of every controller of the application; to be asked when all modules are there. */
export type RouteHandlers = () => readonly RouteHandler[];
