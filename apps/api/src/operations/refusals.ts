import { ApiError, type ErrorDefinition } from '@petstore/http-kernel';

/** An error that a domain refuses something with. */
type Refusal = abstract new (...details: never[]) => Error;

/**
 * What the rules of a domain refuse, in the contract's terms: the error of the domain gives the message, the catalogue
 * code and status. Other errors are left as they are.
 */
export class Refusals {
  constructor(private readonly definitions: readonly (readonly [Refusal, ErrorDefinition])[]) {}

  /** @throws ApiError when the work ends in a refusal */
  async of<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      for (const [refusal, definition] of this.definitions) {
        if (error instanceof refusal) throw new ApiError(definition, { message: error.message });
      }
      throw error;
    }
  }
}
