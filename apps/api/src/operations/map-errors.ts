import { ApiError, type ErrorDefinition } from '@petstore/http-server';

/** Errors of a domain, and what each of them is in the contract. */
export type ErrorMap = readonly (readonly [
  refusal: abstract new (...details: never[]) => Error,
  definition: ErrorDefinition,
])[];

/**
 * Replaces errors of a domain by those of the contract: the domain gives the message, the catalogue code and status. Other
 * errors pass unchanged.
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
