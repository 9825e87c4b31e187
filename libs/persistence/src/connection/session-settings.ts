/**
 * SQL with which every session begins: what the role, the database, the URL or `PGOPTIONS` say of these settings does not
 * count. They change the text of values, how input is read, what a transaction is, or when the server ends something.
 *
 * They are set by SQL because poolers refuse them as parameters of a session's start. The transaction has an isolation
 * level of its own: a standby cannot begin a serializable one.
 */
const SESSION_SETTINGS = `
  begin isolation level read committed;
  set client_encoding = 'UTF8';
  set standard_conforming_strings = on;
  set datestyle = 'ISO, YMD';
  set intervalstyle = postgres;
  set timezone = 'UTC';
  set bytea_output = hex;
  set extra_float_digits = 1;
  set array_nulls = on;
  set transform_null_equals = off;
  set row_security = on;
  set exit_on_error = off;
  set default_transaction_isolation = 'read committed';
  set default_transaction_deferrable = off;
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0;
  select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) <> '0';
  -- What is acknowledged is kept. A stronger value of the server, such as remote_apply, stays.
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';`;

/** @param further SQL for this kind of session, such as its timeouts */
export function sessionSettings(further = ''): string {
  return `${SESSION_SETTINGS}\n${further};\ncommit`;
}
