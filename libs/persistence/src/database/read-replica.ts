import type { EventPosition } from '@petstore/event-feed';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelinedPool } from '../pipelined-pool/pipelined-pool.js';
import type { Statement, TextRow } from '../pipelined-pool/statement.js';

/** What takes hot reads. */
export type Reads = Pick<PipelinedPool, 'queryOnce'>;

/**
 * - `serving`: reads that may be stale are served by the replica, because the primary confirms that it is up to date.
 * - `standalone`: they are, although the primary does not respond.
 * - `excluded`: all reads are left to the primary.
 */
export type ReplicaState = 'serving' | 'standalone' | 'excluded';

/** From one check of a server to the next, in milliseconds. */
const CHECK_EVERY_MS = 500;
/** A replica that is further behind is not read from while the primary responds, in milliseconds. */
const MAX_AGE_MS = 5_000;
/** The same while the primary does not respond: the age then grows from when it was last heard. */
const MAX_STANDALONE_AGE_MS = 30_000;

/** What is in the snapshot of the statement stands before the position in the log that it reads. */
const PRIMARY_STATE: Statement = {
  name: 'primary_state',
  text: `select pg_current_wal_lsn() - '0/0', position,
    (select md5(json) from events where events.position = event_head.position) from event_head`,
};
/**
 * How far the log is replayed, and the digests of these events. No row from a server that is no standby: which data such
 * a server has cannot be told by positions.
 */
const REPLICA_STATE: Statement = {
  name: 'replica_state',
  text: `select pg_last_wal_replay_lsn() - '0/0', coalesce(
      (select json_object_agg(position, md5(json)) from events where position = any ($1::bigint[])), '{}')
    where pg_is_in_recovery()`,
};

const NOTHING = '0' as EventPosition;

/** A state of the primary, read between two moments of `performance.now()`. */
interface Checkpoint {
  /** Everything that was committed before this moment stands before `written`. */
  readonly since: number;
  readonly until: number;
  /** Position in the log, in bytes. */
  readonly written: number;
  /** The end of the feed. */
  readonly position: EventPosition;
  /** Of the event at that position; none where events are no longer kept. */
  readonly digest: string | null;
}

/**
 * Reads that may be some seconds old, by a hot standby of PostgreSQL. It is used while it is known to have everything
 * that was committed up to 5 s ago, or up to 30 s ago while the primary does not respond: every half second the primary
 * is asked how far it has written its log, and the replica how far it has replayed it. No clock of either server counts.
 *
 * A replica that another primary has left behind may have replayed as many bytes of another history, so it must also
 * have the same last event. No reader gets an event that the primary has not shown: what is on one standby alone is lost
 * when another one becomes the primary.
 */
export class ReadReplica implements Reads {
  /** Up to here the replica has the events that the primary has shown. */
  sharedEnd = NOTHING;
  /** Those of the last {@link maxStandaloneAgeMs}, oldest first, and one before. */
  private readonly checkpoints: Checkpoint[] = [];
  /** Everything that was committed before this moment is on the replica. */
  private currentTo = -Infinity;
  private isPrimaryAway = false;
  private last: ReplicaState = 'excluded';
  private rechecking: Promise<void> | undefined;
  private readonly closing = new AbortController();
  private readonly checking: Promise<unknown>;
  /** The replica, unless it is excluded: a new connection may lead to another server, and only a check may open one. */
  private readonly checked: Reads = {
    queryOnce: (statement, values) =>
      this.state === 'excluded'
        ? Promise.reject(new StoreUnavailableError('The replica is excluded.'))
        : this.replica.queryOnce(statement, values),
  };

  /**
   * @param replica has one connection, so that the server that is checked is the one that serves
   * @param changed called with each new state
   */
  constructor(
    private readonly replica: PipelinedPool,
    private readonly primary: PipelinedPool,
    private readonly changed: (state: ReplicaState) => void,
    private readonly maxStandaloneAgeMs = MAX_STANDALONE_AGE_MS,
  ) {
    this.checking = Promise.all([
      // Apart: a primary that hangs must not delay what is known of the replica.
      this.repeat(() => this.checkPrimary()),
      this.repeat(() => this.checkReplica()),
    ]);
  }

  /** Milliseconds up to which the data of the replica may be old; infinite when that is not known. */
  get ageMs(): number {
    return performance.now() - this.currentTo;
  }

  /** Which server serves reads that may be stale. */
  get state(): ReplicaState {
    const maxAgeMs = this.isPrimaryAway ? this.maxStandaloneAgeMs : MAX_AGE_MS;
    if (this.replica.stats.total === 0 || this.ageMs > maxAgeMs) return 'excluded';
    return this.isPrimaryAway ? 'standalone' : 'serving';
  }

  /** @throws {StoreUnavailableError} when no server responds in time */
  queryOnce(statement: Statement, values?: readonly unknown[]): Promise<readonly TextRow[]> {
    return this.serve((reads) => reads.queryOnce(statement, values));
  }

  /**
   * Reads on the replica, and once more elsewhere if that fails: on the primary, or on another connection to a replica
   * while the primary does not respond. Reads on the primary at once when the replica is known to be unavailable.
   *
   * @throws {StoreUnavailableError} when no server responds in time
   */
  async serve<T>(read: (reads: Reads, isReplica: boolean) => Promise<T>): Promise<T> {
    if (this.state !== 'excluded')
      try {
        return await read(this.checked, true);
      } catch {
        // Lost, late, or in conflict with what is replayed: a read can be repeated elsewhere.
      }
    if (this.isPrimaryAway && this.replica.stats.total === 0) await (this.rechecking ??= this.recheck());
    return this.state === 'standalone' ? read(this.checked, true) : read(this.primary, false);
  }

  /**
   * The end of the feed as every replica that serves reads has it, whichever process it serves, also one that does not
   * reach the primary: it is as old as the data of a replica may be. So a list that is read after it holds every change up
   * to it.
   *
   * @throws {StoreUnavailableError} when the process has just started, and the primary does not respond
   */
  async feedEnd(): Promise<EventPosition> {
    for (let waitedMs = 0; waitedMs <= 2 * MAX_AGE_MS; waitedMs += CHECK_EVERY_MS) {
      const [oldest] = this.checkpoints;
      if (oldest !== undefined && performance.now() - oldest.until >= MAX_AGE_MS) return oldest.position;
      if (this.closing.signal.aborted) break;
      await sleep(CHECK_EVERY_MS);
    }
    throw new StoreUnavailableError('The end of the feed is not known yet.');
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.replica.close(), this.checking]);
  }

  private async repeat(check: () => Promise<void>): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await check();
      this.report();
      await sleep(CHECK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private report(): void {
    const { state } = this;
    if (state !== this.last && !this.closing.signal.aborted) this.changed(state);
    this.last = state;
  }

  private async checkPrimary(): Promise<void> {
    const { checkpoints, primary, maxStandaloneAgeMs } = this;
    const since = performance.now();
    const row = await rowOf(primary.queryOnce(PRIMARY_STATE));
    // A server that refuses only this (a locked table) is there.
    this.isPrimaryAway = row === undefined && (await rowOf(primary.ping())) === undefined;
    if (row === undefined) return;
    const [written, position, digest = null] = row;
    const until = performance.now();
    checkpoints.push({ since, until, written: Number(written), position: position as EventPosition, digest });
    while (checkpoints[1] !== undefined && until - checkpoints[1].until >= maxStandaloneAgeMs)
      checkpoints.shift();
  }

  private async checkReplica(): Promise<void> {
    const { checkpoints, replica } = this;
    if (replica.stats.total === 0) this.forget();
    const positions = [...new Set(checkpoints.map(({ position }) => position))];
    const row = await rowOf(replica.queryOnce(REPLICA_STATE, [positions]));
    if (row === undefined) this.forget();
    const [replayed = null, json] = row ?? [];
    const digests = JSON.parse(json ?? '{}') as Record<string, string>;
    const reached = checkpoints.findLast(
      ({ written, position, digest }) =>
        replayed !== null && written <= Number(replayed) && (digest === null || digests[position] === digest),
    );
    if (reached === undefined) return;
    this.currentTo = reached.since;
    this.sharedEnd = reached.position;
  }

  /** Checks the replica for all reads that wait for it. */
  private recheck(): Promise<void> {
    return this.checkReplica().finally(() => (this.rechecking = undefined));
  }

  private forget(): void {
    this.currentTo = -Infinity;
    this.sharedEnd = NOTHING;
  }
}

/** The one row of a statement; `undefined` when the server gives none. */
async function rowOf(rows: Promise<readonly TextRow[]>): Promise<TextRow | undefined> {
  return (await rows.catch(() => []))[0];
}
