import { ApiError, type ErrorDefinition } from '@petstore/http-server';

/** Errors that a domain refuses something with, and what each of them is in the contract. */
export type ErrorMap = readonly (readonly [
  refusal: abstract new (...details: never[]) => Error,
  definition: ErrorDefinition,
])[];

/**
 * Rejects with the contract's error where a domain refuses: the domain gives the message, the catalogue code and status.
 * Other errors are left as they are.
 */
export async function mapErrors<T>(work: Promise<T>, map: ErrorMap): Promise<T> {
  try {
    return await work;
  } catch (error) {
    for (const [refusal, definition] of map)
      if (error instanceof refusal) throw new ApiError(definition, { message: error.message });
    throw error;
  }
}

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
