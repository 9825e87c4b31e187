import { DatabaseError } from 'pg';

/**
 * Puts the name of a statement on the error that it failed with. The stack of such an error begins at the socket and
 * does not name the query; a prepared statement's name does, and contains no values.
 */
export function noteStatement(error: Error, name: string | undefined): Error {
  return error instanceof DatabaseError ? Object.assign(error, { statement: name }) : error;
}
