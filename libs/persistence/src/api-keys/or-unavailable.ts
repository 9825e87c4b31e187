import { KeyStoreUnavailableError } from '@petstore/api-key';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { toStoreError } from '../connection/store-unavailable.js';
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
    const error = toStoreError(cause as Error);
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new KeyStoreUnavailableError(error.message, { cause });
  }
}
