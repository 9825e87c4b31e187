import { KeyStoreUnavailableError } from '@petstore/api-key';
import { isConnectionFailure } from '../connection/connection-failure.js';

/** The result of a query, or {@link KeyStoreUnavailableError} when the database gave no response. */
export async function orUnavailable<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    if (!isConnectionFailure(cause)) throw cause;
    throw new KeyStoreUnavailableError('The database cannot be reached or does not respond.', { cause });
  }
}
