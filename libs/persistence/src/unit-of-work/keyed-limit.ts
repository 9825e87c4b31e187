import { StoreUnavailableError } from '@petstore/pet-domain';
import pLimit, { type LimitFunction } from 'p-limit';
import { isUnavailable, sqlStateOf } from '../connection/database-errors.js';

/**
 * Runs at most a few tasks of one key at a time in this process, the others in order of arrival. Requests that need the
 * lock of the same row wait here, and not on a database connection each.
 */
export class KeyedLimit {
  private readonly limits = new Map<string, LimitFunction>();

  /**
   * @param max most tasks of one key at a time
   * @param waitMs a task that could not start in this time is rejected
   */
  constructor(
    private readonly max: number,
    private readonly waitMs: number,
  ) {}

  /** How many tasks of a key wait for their turn. */
  waiting(key: string): number {
    return this.limits.get(key)?.pendingCount ?? 0;
  }

  /**
   * Where one task of a key runs at a time and gets neither a connection nor a response, those behind it are rejected, too: each would wait
   * for the same.
   *
   * @throws {StoreUnavailableError} the task was not started
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const limit = this.limits.get(key) ?? pLimit({ concurrency: this.max, rejectOnClear: true });
    this.limits.set(key, limit);
    const since = performance.now();
    try {
      return await limit(() => {
        if (performance.now() - since > this.waitMs)
          throw new StoreUnavailableError('Too many requests wait for the same resource.');
        return task();
      });
    } catch (error) {
      if ((error as Error).name === 'AbortError')
        throw new StoreUnavailableError('The database does not respond.');
      if (this.max === 1 && gotNoResponse(error)) limit.clearQueue();
      throw error;
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.limits.delete(key);
    }
  }
}

/** Neither a connection in time, nor an answer of the server on it. */
function gotNoResponse(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  return isUnavailable(error) && sqlStateOf(error) === undefined;
}
