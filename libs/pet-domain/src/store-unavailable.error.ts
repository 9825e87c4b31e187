/**
 * Marks every error that means "a store is unavailable": nothing is known to have changed, and a retry may succeed. The
 * HTTP layer responds 503 to it (`isStoreUnavailable` of `libs/http-server`). A symbol of the global registry, not a
 * class: libs that must not import each other can mark their errors without a common lib.
 */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** A store did not respond. Nothing is known to have changed, and a retry may succeed. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
  readonly [STORE_UNAVAILABLE] = true;
}
