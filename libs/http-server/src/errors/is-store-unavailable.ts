/** What libs mark their errors with when a store is unavailable; see `StoreUnavailableError` of `libs/pet-domain`. */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** Whether an error says that a store (database, keys) is unavailable, whichever lib made it; it becomes a 503. */
export function isStoreUnavailable(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && STORE_UNAVAILABLE in error;
}
