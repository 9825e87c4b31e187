/** The database did not respond in time, or this process did not wait for it. */
export class NoResponseError extends Error {
  override readonly name: string = 'NoResponseError';
}

/** No session could be begun, whoever has refused it and why: message and `cause` are of that. */
export class NoSessionError extends NoResponseError {
  override readonly name = 'NoSessionError';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
