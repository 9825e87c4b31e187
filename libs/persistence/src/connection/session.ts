/** How long things may take, in milliseconds. */
export interface Timeouts {
  /** To make a connection, or to be given one of the pool. */
  readonly connectMs: number;
  /** To keep a connection of the pool: a whole transaction. One kept longer is closed. */
  readonly checkoutMs: number;
  /** For a query of a pipelined pool, counted from when it is sent. */
  readonly queryMs: number;
  /** To wait in this process for other requests, before a connection is waited for. */
  readonly queueMs: number;
  /** SQL of the limits that the server keeps itself: shorter, so that it still responds in time. */
  readonly ofSession: string;
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
    queueMs: part(0.35),
    // The client ends its transactions itself, and sooner. One whose event loop is blocked must find its own again.
    ofSession: `
      set statement_timeout = ${part(0.55)};
      set lock_timeout = ${part(0.4)};
      set idle_in_transaction_session_timeout = ${part(5)};`,
  };
}

/**
 * SQL with which a session begins: what the role, the database, the URL or `PGOPTIONS` say of these settings does not
 * count. They change the text of values, what a transaction is, or when the server ends something.
 *
 * They are set by SQL because poolers refuse them as parameters of a session's start. The transaction has an isolation
 * level of its own: a standby cannot begin a serializable one.
 *
 * @param further SQL for this kind of session, such as its timeouts
 */
export function sessionSettings(further = ''): string {
  return `
    begin isolation level read committed;
    set datestyle = 'ISO, YMD';
    set intervalstyle = postgres;
    set timezone = 'UTC';
    set bytea_output = hex;
    set default_transaction_isolation = 'read committed';
    set statement_timeout = 0;
    set lock_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    set idle_session_timeout = 0;
    select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) <> '0';
    -- What is acknowledged is kept. A stronger value of the server, such as remote_apply, stays.
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
    ${further};
    commit`;
}
