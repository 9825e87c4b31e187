/** The database did not respond in time, or this process did not wait for it. */
export class NoAnswerError extends Error {
  override readonly name: string = 'NoAnswerError';
}

/** The server sent nothing at all for as long as any query may take: it counts as unreachable. */
export class SilentServerError extends NoAnswerError {
  override readonly name = 'SilentServerError';
}
