import { ApiError, type ErrorDefinition } from '@petstore/http-server';
import { INT64_SCHEMA } from './members.js';
import type { Parameter } from './operation.js';

/** An id in the path. @param example generators of requests send it as it is; 1 is in the sample data */
export function pathId(name: string, description: string, example: number): Parameter {
  return { name, description, schema: INT64_SCHEMA, example };
}

/**
 * The id in a path parameter. Called by handlers and not as a pipe: an invalid body is refused before an impossible id.
 *
 * @param error for a text that is no id
 */
export function idIn<Id>(
  type: { readonly parse: (text: string) => Id | undefined },
  text: string,
  error: ErrorDefinition,
): Id {
  const id = type.parse(text);
  if (id === undefined) throw new ApiError(error);
  return id;
}
