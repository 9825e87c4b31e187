/** What libs mark their errors with when a store is away; see `StoreUnavailableError` of `libs/pet-domain`. */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** Whether an error says that a store (database, keys) is away, whichever lib made it: answered with 503. */
export function isStoreUnavailable(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && STORE_UNAVAILABLE in error;
}
