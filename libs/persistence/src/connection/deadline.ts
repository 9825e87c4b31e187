import type { Client } from 'pg';
import { NoAnswerError, SilentServerError } from './no-answer.error.js';
import { bytesFrom, cutClient } from './pg-client.js';
import { RunningTimeout } from './running-timeout.js';

/**
 * The time that something on a connection may take: then the connection is cut, and whatever runs on it fails. pg's own
 * `query_timeout` leaves a connection of a pool open with the response still to come.
 */
export class Deadline {
  private readonly timeout: RunningTimeout;
  /** Why the connection was cut; `undefined` while it was not. */
  error: NoAnswerError | undefined;

  /** @param onExpired called when the connection has been cut */
  constructor(client: Client, ms: number, onExpired: (error: NoAnswerError) => void = () => undefined) {
    const received = bytesFrom(client);
    this.timeout = new RunningTimeout(ms, () => {
      // A server that goes on sending is there, however late its responses are.
      this.error =
        bytesFrom(client) === received
          ? new SilentServerError(performance.now() - ms)
          : new NoAnswerError('The database was too busy to respond in time.');
      cutClient(client);
      onExpired(this.error);
    });
  }

  cancel(): void {
    this.timeout.cancel();
  }
}
