/** The keys cannot be read or written at the moment: nobody can be accepted, and nobody is refused for it. */
export class KeyStoreUnavailable extends Error {
  override readonly name = 'KeyStoreUnavailable';
}
