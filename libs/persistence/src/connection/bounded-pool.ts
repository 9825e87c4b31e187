import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionShortage } from './connection-failure.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { bytesFrom, cutClient } from './pg-client.js';
import { DatabaseClient, type DatabaseClientConfig } from './database-client.js';
import type { Timeouts } from './timeouts.js';
import { LoopTimer } from './loop-timer.js';
import { NoAnswerError, SilentServerError } from './no-answer.error.js';

type Lent = (error: Error | undefined, client?: PoolClient, release?: PoolClient['release']) => void;

/** A caller that waits for a connection. */
interface Waiter {
  readonly lend: Lent;
  readonly timer: LoopTimer;
  /** Whether the time was up. */
  gone: boolean;
}

/** SQLSTATE of a write to a standby. */
const READ_ONLY = '25006';

/** How often a closing pool checks whether all loans have ended. */
const CLOSE_POLL_MS = 5;

/** After the server has refused a connection for there being too many, none is opened for this long. */
const SHORTAGE_MS = 250;

/** Timeouts until {@link BoundedPool.enforceTimeouts} is called: a start may take longer than a request. */
const START_TIMEOUTS = { connectMs: 5_000, waitMs: 6_000 };

/**
 * A pool whose connections are given and taken back in bounded time.
 *
 * pg's own limit for a response (`query_timeout`) leaves the connection in the pool with the response still to
 * come, and holds for each statement of a transaction anew, the rollback included. Here a whole loan has one
 * limit, after which the connection is cut: everything on it fails at once, and the pool makes a new one.
 *
 * Callers wait here and not in pg's pool, whose timers would blame the database for a blocked event loop,
 * and which fails a request when it cannot open one more connection, though the open ones would do.
 */
export class BoundedPool extends Pool {
  private readonly loans = new Map<PoolClient, LoopTimer | undefined>();
  private readonly open = new Set<PoolClient>();
  /** Connections to a server that has become a standby: a new one may lead to the primary. */
  private readonly outlived = new WeakSet<PoolClient>();
  private queue: Waiter[] = [];
  /** Connections that pg's pool was asked for and has not given yet. */
  private asked = 0;
  private shortUntil = 0;
  private enforced = false;

  constructor(
    config: PoolConfig,
    private readonly timeouts: Timeouts,
    private readonly breaker: CircuitBreaker,
  ) {
    super({
      ...config,
      // One stays, so that others who need connections cannot take them all while it is quiet here.
      min: 1,
      connectionTimeoutMillis: 0,
      connectTimeoutMs: START_TIMEOUTS.connectMs,
      Client: DatabaseClient,
    } as PoolConfig);
    this.on('error', ignore);
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
      this.loans.set(client, this.enforced ? this.cutAfterLoan(client) : undefined);
    });
    this.on('release', (_error, client) => {
      this.loans.get(client)?.cancel();
      this.loans.delete(client);
      if (this.outlived.has(client)) void client.end();
      // pg's pool takes it back after this.
      process.nextTick(() => {
        this.serve();
      });
    });
  }

  /** From now on the timeouts of requests hold: a start may take longer than a request. */
  enforceTimeouts(): void {
    this.enforced = true;
    // Given to each connection that is made from now on.
    Object.assign(this.options, { connectTimeoutMs: this.timeouts.connectMs } satisfies DatabaseClientConfig);
  }

  /** How many wait for a connection that is in use. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Refuses at once while the server is known to be unavailable. */
  override connect(): Promise<PoolClient>;
  override connect(callback: Lent): void;
  override connect(callback?: Lent): Promise<PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => {
          if (client === undefined) reject(error ?? new NoAnswerError('The pool gave no connection.'));
          else resolve(client);
        });
      });
    }
    const { refusal } = this.breaker;
    if (refusal !== undefined) {
      callback(refusal);
      return undefined;
    }
    const waiter: Waiter = {
      lend: callback,
      gone: false,
      timer: new LoopTimer(this.enforced ? this.timeouts.connectMs : START_TIMEOUTS.waitMs, () => {
        waiter.gone = true;
        this.queue = this.queue.filter((one) => one !== waiter);
        callback(new NoAnswerError('No connection of the pool came free in time.'));
      }),
    };
    this.queue.push(waiter);
    this.serve();
    return undefined;
  }

  /** Resolves when no connection is lent and none is waited for: each loan ends in bounded time. */
  async settled(): Promise<void> {
    while (this.loans.size > 0 || this.asked > 0 || this.queue.length > 0) await sleep(CLOSE_POLL_MS);
  }

  /** After the end of the pool: resolves when every connection is closed, by force after `timeoutMs`. */
  async closed(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (this.open.size > 0) {
      if (performance.now() >= end) for (const client of this.open) cutClient(client);
      await sleep(CLOSE_POLL_MS);
    }
  }

  /** Gives connections to those who wait, as far as there are some or may be more. */
  private serve(): void {
    while (this.queue.length > 0 && this.hasPlace()) {
      const waiter = this.queue.shift();
      if (waiter !== undefined) this.lendTo(waiter);
    }
  }

  private hasPlace(): boolean {
    const { totalCount, asked, loans } = this;
    const most = totalCount > 0 && performance.now() < this.shortUntil ? totalCount : this.options.max;
    return loans.size + asked < most;
  }

  private lendTo(waiter: Waiter): void {
    this.asked++;
    super.connect((error, client, release) => {
      this.asked--;
      if (error === undefined || (error as Error | null) === null) {
        waiter.timer.cancel();
        if (waiter.gone) release();
        else waiter.lend(undefined, client, release);
        return;
      }
      this.breaker.recordFailure(error);
      if (isConnectionShortage(error) && this.totalCount > 0 && !waiter.gone) {
        // Those that there are will do, one after the other.
        this.shortUntil = performance.now() + SHORTAGE_MS;
        this.queue.unshift(waiter);
      } else if (!waiter.gone) {
        waiter.gone = true;
        waiter.timer.cancel();
        waiter.lend(error);
      }
      this.serve();
    });
  }

  private cutAfterLoan(client: PoolClient): LoopTimer {
    const before = bytesFrom(client);
    return new LoopTimer(this.timeouts.loanMs, () => {
      // A server that has responded meanwhile is there: several statements in a row waited for locks.
      if (bytesFrom(client) === before) {
        this.breaker.recordFailure(
          new SilentServerError('The database did not respond on a connection of the pool.'),
        );
      }
      cutClient(client);
    });
  }
}

const ignore = (): void => undefined;
