import type { EventPosition } from '@petstore/event-feed';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CircuitBreaker } from '../connection/circuit-breaker.js';
import type { FastLane } from '../fast-lane/fast-lane.js';
import type { Statement, TextRow } from '../fast-lane/statement.js';

/** What takes hot reads. */
export type ReadLane = Pick<FastLane, 'queryOnce'>;

/** From one check of the replica to the next, in milliseconds. */
const CHECK_EVERY_MS = 500;
/** A replica that is further behind is not read from, in milliseconds. */
const MAX_AGE_MS = 5_000;
/** Most remembered positions of the primary; they reach further back than {@link MAX_AGE_MS}. */
const MAX_MARKS = 20;

/** The end of the feed as well: what is in the snapshot of the statement stands before the position that it reads. */
const PRIMARY_POSITION: Statement = {
  name: 'wal_written',
  text: `select pg_current_wal_lsn() - '0/0', position from event_head`,
};
/** No row from a server that is no standby: which data such a server has cannot be told by positions. */
const REPLICA_POSITION: Statement = {
  name: 'wal_replayed',
  text: `select pg_last_wal_replay_lsn() - '0/0' where pg_is_in_recovery()`,
};

/** A position of the primary in its write-ahead log. */
interface Mark {
  /** Everything that was committed before this moment stands before the position; milliseconds of `performance.now()`. */
  readonly at: number;
  /** In bytes. */
  readonly position: number;
}

/** The end of the feed. */
interface FeedEnd {
  /** It was not later than this moment, on `performance.now()`. */
  readonly at: number;
  readonly position: EventPosition;
}

/**
 * Reads that may be some seconds old, by a hot standby of PostgreSQL. It is used while it is known to have everything
 * that was committed up to 5 s ago: every half second the primary is asked how far it has written its log, and the
 * replica how far it has replayed it. No clock of either server counts.
 *
 * A read that the replica does not serve is served by the primary, at once when the replica is known to be unavailable.
 */
export class ReadReplica implements ReadLane {
  /** Positions that the replica has not reached, oldest first. */
  private readonly marks: Mark[] = [];
  /** The replica has everything that was committed before this moment. */
  private currentTo = -Infinity;
  /** Ends of the feed in the last {@link MAX_AGE_MS}, oldest first, and one before. */
  private readonly ends: FeedEnd[] = [];
  private wasServing = false;
  private readonly closing = new AbortController();
  private readonly checking: Promise<void>;

  /**
   * @param replica has one connection, so that the server that is checked is the one that serves
   * @param breaker of the replica
   * @param changed called when reads begin to be served by the replica, and when they no longer are
   */
  constructor(
    private readonly replica: FastLane,
    private readonly breaker: CircuitBreaker,
    private readonly primary: FastLane,
    private readonly changed: (isServing: boolean) => void,
  ) {
    this.checking = this.checkUntilClosed();
  }

  /** Milliseconds up to which the data of the replica may be old; infinite when that is not known. */
  get ageMs(): number {
    return performance.now() - this.currentTo;
  }

  /** Whether reads are served by the replica now. */
  get isServing(): boolean {
    return this.replica.stats.total > 0 && this.ageMs <= MAX_AGE_MS;
  }

  /** @throws {StoreUnavailableError} when neither server responds in time */
  async queryOnce(statement: Statement, values?: readonly unknown[]): Promise<readonly TextRow[]> {
    if (this.isServing) {
      try {
        return await this.replica.queryOnce(statement, values);
      } catch {
        // Lost, late, or in conflict with what is replayed: a read can be repeated elsewhere.
      }
    }
    return this.primary.queryOnce(statement, values);
  }

  /**
   * The end of the feed as every replica that serves reads has it, whichever process it serves: it is as old as the
   * data of a replica may be. So a list that is read after it holds every change up to it.
   *
   * @throws {StoreUnavailableError} when the process has just started, and the primary does not respond
   */
  async feedEnd(): Promise<EventPosition> {
    for (let waitedMs = 0; waitedMs <= 2 * MAX_AGE_MS; waitedMs += CHECK_EVERY_MS) {
      const oldest = this.ends[0];
      if (oldest !== undefined && performance.now() - oldest.at >= MAX_AGE_MS) return oldest.position;
      if (this.closing.signal.aborted) break;
      await sleep(CHECK_EVERY_MS);
    }
    throw new StoreUnavailableError('The end of the feed is not known yet.');
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.replica.close(), this.breaker.close(), this.checking]);
  }

  private async checkUntilClosed(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.check();
      await sleep(CHECK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    const { marks, replica } = this;
    // A new connection may lead to another server, which is not used before it has been checked.
    if (replica.stats.total === 0) this.currentTo = -Infinity;
    const at = performance.now();
    const [[written, feedEnd], [replayed]] = await Promise.all([
      rowOf(this.primary, PRIMARY_POSITION),
      rowOf(replica, REPLICA_POSITION),
    ]);
    if (written != null) marks.push({ at, position: Number(written) });
    if (marks.length > MAX_MARKS) marks.shift();
    if (feedEnd != null) this.remember(feedEnd as EventPosition);
    if (replayed == null) this.currentTo = -Infinity;
    else
      while (marks[0] !== undefined && marks[0].position <= Number(replayed))
        this.currentTo = marks.shift()?.at ?? at;
    const { isServing } = this;
    if (isServing !== this.wasServing && !this.closing.signal.aborted) this.changed(isServing);
    this.wasServing = isServing;
  }

  private remember(position: EventPosition): void {
    const { ends } = this;
    const at = performance.now();
    ends.push({ at, position });
    while (ends[1] !== undefined && at - ends[1].at >= MAX_AGE_MS) ends.shift();
  }
}

/** Empty when the server gives none. */
async function rowOf(server: FastLane, statement: Statement): Promise<TextRow> {
  try {
    return (await server.query(statement))[0] ?? [];
  } catch {
    return [];
  }
}
