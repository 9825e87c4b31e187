import type { ErrorDefinition } from './define-errors.js';
import { HTTP_ERRORS } from './http.errors.js';

/**
 * Every error that a service can send: those of any HTTP API, and those of its features. The OpenAPI document and
 * the docs are made from it; tests compare them.
 *
 * @returns ordered by status; within one, fallbacks come last
 * @throws Error when two definitions have one code
 */
export function assembleErrorCatalogue(features: Iterable<ErrorDefinition>): readonly ErrorDefinition[] {
  const byCode = new Map<string, ErrorDefinition>();
  for (const definition of [...Object.values(HTTP_ERRORS), ...features]) {
    const { code } = definition;
    if ((byCode.get(code) ?? definition) !== definition)
      throw new Error(`The error ${code} is defined twice.`);
    byCode.set(code, definition);
  }
  return inCatalogueOrder([...byCode.values()]);
}

/** Sorts errors by status, fallbacks last; keeps the order of others. */
export function inCatalogueOrder(errors: readonly ErrorDefinition[]): readonly ErrorDefinition[] {
  return [...errors].sort(
    (a, b) => a.status - b.status || Number(a.isFallback ?? false) - Number(b.isFallback ?? false),
  );
}
