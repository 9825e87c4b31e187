/** The database cannot be used. The message names the database, the problem and the remedy. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}
