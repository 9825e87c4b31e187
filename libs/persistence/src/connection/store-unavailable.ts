import { StoreUnavailableError } from '@petstore/pet-domain';
import { sqlStateOf } from '../unit-of-work/transaction-conflict.js';
import { isConnectionFailure } from './connection-failure.js';

/** SQLSTATE of a file that cannot grow. */
const DISK_FULL = '53100';

let refused = 0;

/** Statements so far that PostgreSQL refused because the disk of its data is full. */
export function diskFullErrors(): number {
  return refused;
}

/** Whether a statement was refused because the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === DISK_FULL;
}

/** {@link StoreUnavailableError} when the database gave no response, or cannot store anything; any other error as it is. */
export function toStoreError(cause: Error): Error {
  if (!isConnectionFailure(cause)) return cause;
  if (isDiskFull(cause)) {
    refused++;
    return new StoreUnavailableError('The disk of the database is full: free space on it.', { cause });
  }
  return new StoreUnavailableError('The database cannot be reached or does not respond.', { cause });
}
