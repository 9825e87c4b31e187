/** How long things may take, in milliseconds. */
export interface Timeouts {
  /** To be given a connection, a new one or one of the pool. */
  readonly connectMs: number;
  /** To keep a connection of the pool: a whole transaction. One kept longer is cut. */
  readonly loanMs: number;
  /** For a query on a pipeline, counted from the call, connecting and waiting in line included. */
  readonly answerMs: number;
  /** For one statement, counted by the server, which then still responds in time. */
  readonly statementMs: number;
  /** To wait for a turn among changes of the same thing in this process, before anything is asked of the server. */
  readonly turnMs: number;
  /** To wait for another transaction's lock. */
  readonly lockMs: number;
  /** For a transaction in which nothing happens. */
  readonly idleInTransactionMs: number;
}

/**
 * Timeouts under which everything that is asked of a database returns or is refused within `totalMs`
 * milliseconds: connecting and the loan come one after the other. A turn is waited for before that.
 */
export function timeoutsWithin(totalMs: number): Timeouts {
  const part = (share: number): number => Math.round(totalMs * share);
  return {
    connectMs: part(0.4),
    loanMs: part(0.6),
    // A pipeline looks at its clock eight times in this span: one eighth later is the latest.
    answerMs: part(0.88),
    statementMs: part(0.55),
    turnMs: part(0.35),
    lockMs: part(0.4),
    // The client ends its loans itself, and sooner. One whose event loop is blocked must find its transaction again.
    idleInTransactionMs: part(5),
  };
}

/** The time limits that the server keeps itself, as pg sends them with every connection. */
export function sessionTimeouts({ statementMs, lockMs, idleInTransactionMs }: Timeouts): SessionTimeouts {
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}

export interface SessionTimeouts {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}
