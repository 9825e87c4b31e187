import { StoreUnavailableError } from '@petstore/pet-domain';
import { isConnectionFailure } from './connection-failure.js';

/** {@link StoreUnavailableError} when the database gave no response; any other error as it is. */
export function toStoreError(cause: Error): Error {
  if (!isConnectionFailure(cause)) return cause;
  return new StoreUnavailableError('The database cannot be reached or does not respond.', { cause });
}

/** The result of a query, or {@link StoreUnavailableError} when the database gave no response. */
export async function orUnavailable<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toStoreError(error as Error);
  }
}
