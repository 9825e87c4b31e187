/** A worker process did not come to serve. Its message is for the person who started the program. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';

  constructor(
    message: string,
    /** Whether the worker itself reported the cause: another worker would fail in the same way. */
    readonly explained: boolean,
  ) {
    super(message);
  }
}
