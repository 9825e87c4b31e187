import { isNativeError } from 'node:util/types';

/** SQLSTATEs of a transaction that lost against another one, and may win when it is tried again. */
const CONFLICTS: ReadonlySet<unknown> = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
]);

/** Thrown by a repository after a statement that failed because of another transaction: tried again, the work sees it. */
export class TransactionConflictError extends Error {
  override readonly name = 'TransactionConflictError';

  constructor(options: ErrorOptions) {
    super('Another transaction has been faster.', options);
  }
}

/** Whether a transaction that failed so was rolled back because of another one. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof TransactionConflictError || CONFLICTS.has(sqlStateOf(error));
}

/** SQLSTATE of what the database or TypeORM says; `undefined` for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined;
  const { code, driverError } = error as { readonly code?: string; readonly driverError?: unknown };
  return driverError === undefined || driverError === error ? code : sqlStateOf(driverError);
}
