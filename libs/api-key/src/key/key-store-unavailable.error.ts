/** Answered with 503 by an edge that looks for it; see `isStoreUnavailable` of `libs/http-kernel`. */
const STORE_UNAVAILABLE = Symbol.for('petstore.store-unavailable');

/** The keys cannot be read or written at the moment: nobody can be accepted, and nobody is refused for it. */
export class KeyStoreUnavailable extends Error {
  override readonly name: string = 'KeyStoreUnavailable';
  readonly [STORE_UNAVAILABLE] = true;
}

/** One client has so many unknown keys waiting that the next one is not looked at: it is charged for it. */
export class TooManyUnknownKeysError extends KeyStoreUnavailable {
  override readonly name = 'TooManyUnknownKeysError';
}
