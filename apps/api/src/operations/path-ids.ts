import { ApiError, type ErrorDefinition } from '@petstore/http-server';

/**
 * The id that a path parameter spells. Called by handlers and not as a pipe: a body that is not valid is refused before
 * an id that nothing can have.
 *
 * @param error for a text that is no id: it names nothing
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
