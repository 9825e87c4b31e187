/** Deepest nesting of objects and arrays; far more than any client needs, far less than a stack holds. */
export const MAX_JSON_DEPTH = 64;

/** A JSON text that is not what the contract asks for. */
export class JsonObjectError extends Error {
  override readonly name = 'JsonObjectError';

  static malformed(): JsonObjectError {
    return new JsonObjectError('The request body must be well-formed JSON.');
  }

  static repeatedName(): JsonObjectError {
    return new JsonObjectError('A JSON object may not hold the same member name twice.');
  }

  static tooDeep(): JsonObjectError {
    return new JsonObjectError(`The request body may be nested at most ${MAX_JSON_DEPTH} levels deep.`);
  }
}
