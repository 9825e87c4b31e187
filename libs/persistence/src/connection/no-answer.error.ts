/** The database did not respond in time, or this process did not wait for it. */
export class NoAnswerError extends Error {
  override readonly name: string = 'NoAnswerError';
}

/** The server sent nothing on an open connection for as long as any query may take. */
export class SilentServerError extends NoAnswerError {
  override readonly name = 'SilentServerError';

  /** @param since when what has had no response was begun, on `performance.now()` */
  constructor(readonly since: number) {
    super('The database sent nothing in time.');
  }
}

/** No session began in time: neither the server nor a pooler before it gave one. */
export class ConnectTimeoutError extends NoAnswerError {
  override readonly name = 'ConnectTimeoutError';
}

/** No session could be begun, whoever has refused it and why: message and `cause` are of that. */
export class NoSessionError extends NoAnswerError {
  override readonly name = 'NoSessionError';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
