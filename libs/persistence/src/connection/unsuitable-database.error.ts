/** The server at the address works, but this service cannot use it. The message says why. */
export class UnsuitableDatabaseError extends Error {
  override readonly name = 'UnsuitableDatabaseError';
}
