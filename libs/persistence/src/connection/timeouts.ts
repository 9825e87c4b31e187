/** How long things may take, in milliseconds. */
export interface Limits {
  /** To be given a connection, a new one or one of the pool. */
  readonly connect: number;
  /** To keep a connection of the pool: a whole transaction. One kept longer is cut. */
  readonly loan: number;
  /** To be answered by a pipeline, counted from the question, connecting and waiting in line included. */
  readonly answer: number;
  /** For one statement, counted by the server, which then still answers in time. */
  readonly statement: number;
  /** To wait for another transaction's lock. */
  readonly lock: number;
  /** For a transaction in which nothing happens. */
  readonly idleInTransaction: number;
}

/**
 * Limits under which everything that is asked of a database is answered or refused within `total`
 * milliseconds: connecting and the loan come one after the other.
 */
export function limitsWithin(total: number): Limits {
  const part = (share: number): number => Math.round(total * share);
  return {
    connect: part(0.4),
    loan: part(0.6),
    // A pipeline looks at its clock eight times in this span: one eighth later is the latest.
    answer: part(0.88),
    statement: part(0.55),
    lock: part(0.4),
    // The client ends its loans itself, and sooner. One whose event loop is blocked must find its transaction again.
    idleInTransaction: part(5),
  };
}

/** The time limits that the server keeps itself, as pg sends them with every connection. */
export function sessionLimits({ statement, lock, idleInTransaction }: Limits): SessionLimits {
  return {
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idleInTransaction,
  };
}

export interface SessionLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}
