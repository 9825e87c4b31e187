import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorHelp } from '../errors/error-help.js';

/** What happens to a request once it is its turn. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Who keeps account of connections and of the requests that wait on them. */
export interface ConnectionOwner<Member> {
  /** Where errors are explained. */
  readonly helpOf: ErrorHelp;
  setBusy(connection: Member): void;
  setIdle(connection: Member): void;
  remove(connection: Member): void;
  /** Counts a request that waits. @returns whether it may, on a connection that has many or few of them */
  mayWait(hasMany: boolean): boolean;
  forgetWaiting(count: number): void;
}
