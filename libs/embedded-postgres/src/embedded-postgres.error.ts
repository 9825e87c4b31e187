/** Why the embedded PostgreSQL is not available. */
export type EmbeddedPostgresFailure =
  /** No PostgreSQL is packaged for this system, or the packaged one does not run on it. */
  | 'unsupported_platform'
  /** Another process runs a database in this folder. */
  | 'folder_in_use'
  /** The folder was written by another major version of PostgreSQL. */
  | 'other_version'
  /** The folder cannot be read or written, or belongs to another user. */
  | 'not_permitted'
  /** The server or initdb ended with an error of its own. */
  | 'start_failed';

/** The embedded PostgreSQL is not available. The message names the folder and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  constructor(
    readonly reason: EmbeddedPostgresFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
