import type { Client } from 'pg';
import { NoAnswerError, SilentServerError } from './no-answer.error.js';
import { bytesFrom, cutClient } from './pg-client.js';

/**
 * The time that something on a connection may take: then the connection is cut, and whatever runs on it fails. pg's own
 * `query_timeout` leaves a connection of a pool open with the response still to come.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private check: NodeJS.Immediate | undefined;
  /** Why the connection was cut; `undefined` while it was not. */
  error: NoAnswerError | undefined;

  /** @param onExpired called when the connection has been cut */
  constructor(client: Client, ms: number, onExpired: (error: NoAnswerError) => void = () => undefined) {
    const received = bytesFrom(client);
    this.timer = setTimeout(() => {
      // After a blocked event loop timers come before the socket is read: the response may be there.
      this.check = setImmediate(() => {
        // A server that goes on sending is there, however late its responses are.
        this.error =
          bytesFrom(client) === received
            ? new SilentServerError('The database sent nothing in time.')
            : new NoAnswerError('The database was too busy to respond in time.');
        cutClient(client);
        onExpired(this.error);
      });
    }, ms);
  }

  cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.check);
  }
}
