/** How long things may take, in milliseconds. */
export interface Timeouts {
  /** To make a connection, or to be given one of the pool. */
  readonly connectMs: number;
  /** To keep a connection of the pool: a whole transaction. One kept longer is closed. */
  readonly checkoutMs: number;
  /** For a query of a pipelined pool, counted from when it is sent. */
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
 * Timeouts under which a call returns or fails within `totalMs` milliseconds once it has its turn: connecting comes before
 * the query or the transaction. The queue comes before both; while the server hangs, the queue and one of the two are all
 * that a request waits for (`test/outages.spec.ts`).
 */
export function timeoutsWithin(totalMs: number): Timeouts {
  const part = (share: number): number => Math.round(totalMs * share);
  return {
    connectMs: part(0.4),
    checkoutMs: part(0.6),
    queryMs: part(0.6),
    statementMs: part(0.55),
    queueMs: part(0.35),
    lockMs: part(0.4),
    // The client ends its transactions itself, and sooner. One whose event loop is blocked must find its own again.
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
