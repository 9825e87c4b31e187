/**
 * Marks every error that means "a store is unavailable": nothing is known to have changed, and a retry may succeed. The HTTP
 * edge answers 503 to whatever carries it (`isStoreUnavailable` of `libs/http-server`).
 *
 * It is a symbol of the global registry, and not a class, so that libs which must not import each other can mark
 * their errors without a lib that all of them import.
 */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** A store did not answer. Nothing is known to have changed, and a retry may succeed. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
  readonly [STORE_UNAVAILABLE] = true;
}
