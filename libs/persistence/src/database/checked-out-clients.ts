import type { Pool, PoolClient } from 'pg';
import { cutClient } from '../connection/database-client.js';

/**
 * Connections that are checked out of a pool, each for a limited time: pg's `query_timeout` would leave a transaction open,
 * with the response still to come.
 */
export class CheckedOutClients {
  private readonly connected = new Set<PoolClient>();

  /** @param checkoutMs after which the connection is cut, and whatever runs on it fails */
  constructor(pool: Pool, checkoutMs: number) {
    const timers = new Map<PoolClient, NodeJS.Timeout>();
    pool.on('remove', (client) => this.connected.delete(client));
    pool.on('acquire', (client) => {
      this.connected.add(client);
      const expire = (): void => {
        if (timers.get(client) === timer) cutClient(client);
      };
      // Sockets are read before a server is blamed for a pause of this process.
      const timer = setTimeout(setImmediate, checkoutMs, expire);
      timers.set(client, timer);
    });
    pool.on('release', (_error, client) => {
      clearTimeout(timers.get(client));
      timers.delete(client);
    });
  }

  /** Ends all connections at once. */
  cut(): void {
    for (const client of this.connected) cutClient(client);
  }
}
