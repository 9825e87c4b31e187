/** How long things may take, in milliseconds. */
export interface Timeouts {
  /** To make a connection. */
  readonly connectMs: number;
  /** To be given a connection of the pool, one that others use or a new one. */
  readonly poolMs: number;
  /** To keep a connection of the pool: a whole transaction. One kept longer is closed. */
  readonly loanMs: number;
  /** For a query of the fast lane, counted from when it is sent. */
  readonly queryMs: number;
  /** For one statement, counted by the server, which then still responds in time. */
  readonly statementMs: number;
  /** To wait in this process for other requests, before a connection is waited for. */
  readonly queueMs: number;
  /** To wait for another transaction's lock. */
  readonly lockMs: number;
  /** For a transaction in which nothing happens. */
  readonly idleInTransactionMs: number;
}

/**
 * Timeouts under which every call of a store returns or is refused within `totalMs` milliseconds while the server is
 * there, and within 1.2 times that when it stops responding: connecting and the loan come one after the other. The queue
 * comes before that.
 */
export function timeoutsWithin(totalMs: number): Timeouts {
  const part = (share: number): number => Math.round(totalMs * share);
  return {
    connectMs: part(0.45),
    // Longer: of a new connection, its own timeout decides, which does not count the pauses of this process.
    poolMs: part(0.6),
    loanMs: part(0.6),
    queryMs: part(0.6),
    statementMs: part(0.55),
    queueMs: part(0.35),
    lockMs: part(0.4),
    // The client ends its loans itself, and sooner. One whose event loop is blocked must find its transaction again.
    idleInTransactionMs: part(5),
  };
}

/** SQL of the time limits that the server keeps itself. */
export function sessionTimeouts({ statementMs, lockMs, idleInTransactionMs }: Timeouts): string {
  return `
  set statement_timeout = ${statementMs};
  set lock_timeout = ${lockMs};
  set idle_in_transaction_session_timeout = ${idleInTransactionMs};`;
}
