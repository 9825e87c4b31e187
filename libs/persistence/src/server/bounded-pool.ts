import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from '../connection-failure.js';
import type { Availability } from './availability.js';
import { cutClient } from './client-life.js';
import type { Limits } from './limits.js';

type Lent = (error: Error | undefined, client?: PoolClient, release?: PoolClient['release']) => void;

/** SQLSTATE of a write to a standby. */
const READ_ONLY = '25006';

/** How often a closing pool looks whether everybody is done, in milliseconds. */
const LOOK = 5;

/**
 * A pool whose connections are given and taken back in bounded time.
 *
 * pg's own limit for an answer (`query_timeout`) leaves the connection in the pool with the answer still to
 * come, and holds for each statement of a transaction anew, the rollback included. Here a whole loan has one
 * limit, after which the connection is cut: everything on it fails at once, and the pool makes a new one.
 */
export class BoundedPool extends Pool {
  private readonly loans = new Map<PoolClient, NodeJS.Timeout | undefined>();
  private readonly open = new Set<PoolClient>();
  /** Connections to a server that has become a standby: a new one may lead to the primary. */
  private readonly outlived = new WeakSet<PoolClient>();
  private hurried = false;

  constructor(
    config: PoolConfig,
    private readonly limits: Limits,
    private readonly availability: Availability,
  ) {
    super(config);
    this.on('connect', (client) => {
      this.open.add(client);
      client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
        if (code === READ_ONLY) this.outlived.add(client);
      });
    });
    this.on('remove', (client) => {
      this.open.delete(client);
    });
    this.on('acquire', (client) => {
      this.loans.set(client, this.hurried ? this.cutAfterLoan(client) : undefined);
    });
    this.on('release', (_error, client) => {
      clearTimeout(this.loans.get(client));
      this.loans.delete(client);
      if (this.outlived.has(client)) void client.end();
    });
  }

  /** From now on all limits hold: a start may take longer than a request. */
  hurry(): void {
    this.hurried = true;
    this.options.connectionTimeoutMillis = this.limits.connect;
  }

  /** Refuses at once while the server is known to be away. */
  override connect(): Promise<PoolClient>;
  override connect(callback: Lent): void;
  override connect(callback?: Lent): Promise<PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => {
          if (client === undefined) reject(error ?? new NoAnswer('The pool gave no connection.'));
          else resolve(client);
        });
      });
    }
    const { refusal } = this.availability;
    if (refusal !== undefined) {
      callback(refusal);
      return undefined;
    }
    super.connect((error, client, release) => {
      if (error !== undefined) this.availability.report(error);
      callback(error, client, release);
    });
    return undefined;
  }

  /** Resolves when no connection is lent and none is waited for: each loan ends in bounded time. */
  async settled(): Promise<void> {
    while (this.loans.size > 0 || this.waitingCount > 0) await sleep(LOOK);
  }

  /** After the end of the pool: resolves when every connection is closed, by force after `within` milliseconds. */
  async closed(within: number): Promise<void> {
    const end = performance.now() + within;
    while (this.open.size > 0) {
      if (performance.now() >= end) for (const client of this.open) cutClient(client);
      await sleep(LOOK);
    }
  }

  private cutAfterLoan(client: PoolClient): NodeJS.Timeout {
    return setTimeout(() => {
      this.availability.report(new NoAnswer('The database did not answer on a connection of the pool.'));
      cutClient(client);
    }, this.limits.loan);
  }
}
