/** What an operator asks for breaks a rule of keys. The message says which one, for a person. */
export class KeyRuleError extends Error {
  override readonly name = 'KeyRuleError';
}

/** No key has this id. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(readonly id: string) {
    super(`No key has the id ${id}.`);
  }
}

/** Becomes a 503 where HTTP is spoken; see `isStoreUnavailable` of `libs/http-server`. */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** Keys cannot be read or written at the moment. */
export class KeyStoreUnavailableError extends Error {
  override readonly name: string = 'KeyStoreUnavailableError';
  readonly [STORE_UNAVAILABLE] = true;
  /** Nest and Express take the response from this, `status` and `statusCode`. */
  readonly expose = true;
  readonly status = 503;
  readonly statusCode = 503;
}

/** A key is on a plan that this process does not know, which another version of the service may: 503 for its requests. */
export class UnknownPlanError extends KeyStoreUnavailableError {
  override readonly name = 'UnknownPlanError';

  constructor(readonly plan: string) {
    super(`The plan ${plan} is not defined here.`);
  }
}
