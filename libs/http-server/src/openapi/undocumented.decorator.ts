import { Documented } from './documented.decorator.js';

/** Keeps the routes of a controller out of the document: they are no part of the contract. */
export const Undocumented = (): ClassDecorator =>
  Documented(({ ApiExcludeController }) => ApiExcludeController());

/** Keeps one route out of the document. */
export const UndocumentedRoute = (): MethodDecorator =>
  Documented(({ ApiExcludeEndpoint }) => ApiExcludeEndpoint());
