import { Documented } from '@petstore/http-kernel';

/** Keeps the routes of a controller out of the document: they are no part of the contract. */
export const Undocumented = (): ClassDecorator =>
  Documented(({ ApiExcludeController }) => ApiExcludeController());
