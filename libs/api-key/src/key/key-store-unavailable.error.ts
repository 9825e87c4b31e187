/** The keys cannot be read or written at the moment: nobody can be accepted, and nobody is refused for it. */
export class KeyStoreUnavailable extends Error {
  override readonly name: string = 'KeyStoreUnavailable';
}

/** One client has so many unknown keys waiting that the next one is not looked at: it is charged for it. */
export class TooManyUnknownKeysError extends KeyStoreUnavailable {
  override readonly name = 'TooManyUnknownKeysError';
}
