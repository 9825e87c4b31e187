import { KeyStoreUnavailableError } from '@petstore/api-key';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { isConnectionFailure } from '../connection/connection-failure.js';
import type { Database } from '../database/database.js';

/**
 * What `work` returns; rejects at once while the server is known to be unavailable.
 *
 * @throws {KeyStoreUnavailableError} when the database is unavailable or does not respond in time
 */
export async function orUnavailable<T>(
  { breaker, manager }: Database,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await breaker.run(() => work(manager));
  } catch (cause) {
    if (!(cause instanceof StoreUnavailableError) && !isConnectionFailure(cause)) throw cause;
    throw new KeyStoreUnavailableError('The database is unavailable or does not respond.', { cause });
  }
}
