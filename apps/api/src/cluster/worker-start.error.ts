/** A worker process did not come to serve. Its message is for the person who started the program. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
}
