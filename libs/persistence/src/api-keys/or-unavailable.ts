import { KeyStoreUnavailableError } from '@petstore/api-key';
import { StoreUnavailableError } from '@petstore/pet-domain';
import type { EntityManager } from 'typeorm';
import { toStoreError } from '../connection/database-errors.js';
import type { Database } from '../database/database.js';

/**
 * What `work` returns.
 *
 * @throws {KeyStoreUnavailableError} when the database is unavailable or does not respond in time
 */
export async function orUnavailable<T>(
  { manager }: Database,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await work(manager);
  } catch (cause) {
    const error = toStoreError(cause as Error);
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new KeyStoreUnavailableError(error.message, { cause });
  }
}
