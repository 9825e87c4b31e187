/** The first request with this token is being carried out at this moment; nothing was changed. */
export class RequestInProgressError extends Error {
  override readonly name = 'RequestInProgressError';
}

/** The token was used for another operation or input; nothing was changed. */
export class TokenReusedError extends Error {
  override readonly name = 'TokenReusedError';
}
