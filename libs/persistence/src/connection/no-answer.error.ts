/** The database did not respond in time, or this process did not wait for it. */
export class NoAnswerError extends Error {
  override readonly name: string = 'NoAnswerError';
}

/** So many wait for the same that it was not this one's turn in time: the database is there. */
export class QueueTimeoutError extends NoAnswerError {
  override readonly name = 'QueueTimeoutError';
}

/** The server sent nothing at all for as long as any query may take: it counts as unreachable. */
export class SilentServerError extends NoAnswerError {
  override readonly name = 'SilentServerError';
}
