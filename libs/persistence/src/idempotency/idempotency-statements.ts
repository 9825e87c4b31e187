import type { Statement } from '../pipeline/statement.js';
import { REMEMBERED_FOR_MS } from './idempotent-request.js';

/**
 * Until the end of the transaction, and only if it is free: whoever does not get it knows that a twin is at work.
 * Two tokens whose hashes are equal only ask each other to wait.
 */
export const LOCK: Statement = {
  name: 'idempotency_lock',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1, 0))`,
};

/** A statement of its own behind the lock, so that it sees what a twin has committed by then. */
export const FIND: Statement = {
  name: 'idempotent_requests_find',
  text: `select operation, encode(fingerprint, 'hex'), status, location, etag, body,
      created_at > now() - interval '${REMEMBERED_FOR_MS} milliseconds'
    from idempotent_requests where caller = $1 and token = $2`,
};

/** Makes room for a new one where an old one is not removed yet. */
export const REMOVE: Statement = {
  name: 'idempotent_requests_remove',
  text: `delete from idempotent_requests where caller = $1 and token = $2
    and created_at <= now() - interval '${REMEMBERED_FOR_MS} milliseconds'`,
};

/** Fails if there is one already. No lock is needed for that: the primary key alone lets nothing happen twice. */
export const SAVE: Statement = {
  name: 'idempotent_requests_save',
  text: `insert into idempotent_requests (caller, token, operation, fingerprint, status, location, etag, body)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** Whether an answer is kept: $1 caller, $2 token as it is kept. */
export const IS_KEPT: Statement = {
  name: 'idempotent_requests_is_kept',
  text: 'select exists (select from idempotent_requests where caller = $1 and token = $2)',
};
