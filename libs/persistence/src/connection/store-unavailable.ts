import { StoreUnavailableError } from '@petstore/pet-domain';
import { isConnectionFailure } from './connection-failure.js';

/** {@link StoreUnavailableError} when the database gave no response; any other error as it is. */
export function toStoreError(cause: Error): Error {
  if (!isConnectionFailure(cause)) return cause;
  return new StoreUnavailableError('The database cannot be reached or does not respond.', { cause });
}
