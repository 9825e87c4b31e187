import type { Pool, PoolClient } from 'pg';
import type { CircuitBreaker } from '../connection/circuit-breaker.js';
import { Deadline } from '../connection/deadline.js';
import { cutClient } from '../connection/pg-client.js';
import type { Timeouts } from '../connection/timeouts.js';
import type { DataSourceSettings } from '../schema/data-source.js';

/** Connections that a pool has lent; each loan has a time limit. */
export class Loans {
  private readonly connected = new Set<PoolClient>();

  constructor(
    pool: Pool,
    timeouts: Timeouts,
    breaker: CircuitBreaker,
    { onIdleError, onReconnect }: Pick<DataSourceSettings, 'onIdleError' | 'onReconnect'>,
  ) {
    let isLost = false;
    pool.on('error', (error) => {
      if (!isLost) onIdleError?.(error);
      isLost = true;
    });
    pool.on('connect', () => {
      if (isLost) onReconnect?.();
      isLost = false;
    });
    const deadlines = new Map<PoolClient, Deadline>();
    // Until now a start may have taken longer than a request.
    const { connectMs, poolMs } = timeouts;
    Object.assign(pool.options, { connectMs, connectionTimeoutMillis: poolMs });
    pool.on('remove', (client) => this.connected.delete(client));
    pool.on('acquire', (client) => {
      this.connected.add(client);
      const recordFailure = (error: Error): void => {
        breaker.recordFailure(error);
      };
      deadlines.set(client, new Deadline(client, timeouts.loanMs, recordFailure));
    });
    pool.on('release', (error, client) => {
      const deadline = deadlines.get(client);
      deadline?.cancel();
      deadlines.delete(client);
      if ((error as unknown) == null && deadline?.error === undefined) breaker.recordResponse();
    });
  }

  /** Connections that are open, lent or not. */
  get size(): number {
    return this.connected.size;
  }

  /** Ends all connections at once. */
  cut(): void {
    for (const client of this.connected) cutClient(client);
  }
}
