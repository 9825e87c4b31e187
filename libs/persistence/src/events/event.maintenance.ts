import type { Client, QueryResult } from 'pg';
import { sqlStateOf } from '../connection/database-errors.js';
import { withClient } from '../connection/database-client.js';
import type { DataSourceSettings } from '../schema/data-source.js';
import { LIFT_IDS, RECOUNT, RESTART, STATUS } from './maintenance.queries.js';
import { AWAIT_LOCK } from './sequencing.queries.js';

/** Where the feed is, for operators. Positions and numbers are decimal digits. */
export interface EventFeedStatus {
  /** Position of the last event that is no longer kept. */
  readonly first: string;
  /** Position of the newest event. */
  readonly newest: string;
  /** When the oldest event that is kept happened; `null` when there is none. */
  readonly oldestKeptAt: Date | null;
  /** Events that have no position yet. */
  readonly waiting: string;
  /** Age of the oldest of these; 0 when there is none. */
  readonly waitingSeconds: number;
}

/** A counter that was wrong. */
export interface InventoryCorrection {
  /** `null` for all animals. */
  readonly categoryId: string | null;
  readonly status: string;
  readonly was: string;
  readonly animals: string;
}

export interface InventoryRecount {
  /** How many animals there are altogether, as far as the feed has got. */
  readonly animals: string;
  /** How many counters were wrong. */
  readonly corrected: number;
  /** The first of these, those of all animals before the others. */
  readonly corrections: readonly InventoryCorrection[];
}

export interface RestartedEventFeed {
  /** Up to here no position is one of the feed any more; the next event gets the next one. */
  readonly first: string;
}

/** The lock of the sequencer was not given in time. */
export class SequencerBusyError extends Error {
  override readonly name = 'SequencerBusyError';

  constructor(waitedMs: number, options?: ErrorOptions) {
    super(
      `Another program has held the lock of the sequencer for ${waitedMs / 1_000} seconds, and nothing was changed. ` +
        `Try again; if it stays so, "select * from pg_locks where relation = 'event_head'::regclass" names the session that has it.`,
      options,
    );
  }
}

/** A batch of the sequencer takes far less, or reaches its own time limit. */
const LOCK_TIMEOUT_MS = 10_000;
/** Counters that are named, of those that were wrong. */
const NAMED_CORRECTIONS = 20;
/** SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Maintenance of the feed and its counters by operators, while the service runs. Each call has a session of its own
 * without a time limit for statements, because counting all animals may take long.
 */
export class EventMaintenance {
  constructor(
    private readonly settings: DataSourceSettings,
    private readonly lockTimeoutMs = LOCK_TIMEOUT_MS,
  ) {}

  status(): Promise<EventFeedStatus> {
    return this.inSession((client) => rowOf(client.query<EventFeedStatus>(STATUS)));
  }

  /**
   * Recounts all animals. Meanwhile animals can be changed, but no event gets a position.
   *
   * @throws {SequencerBusyError}
   */
  recount(): Promise<InventoryRecount> {
    return this.locked((client) => client.query<InventoryRecount>(RECOUNT, [NAMED_CORRECTIONS]));
  }

  /**
   * Raises the position of the feed so far that every reader must begin anew: after a restore its readers may know
   * positions of events that are no more. Ids go on as far behind: clients may know those of animals that are no more.
   *
   * @throws {SequencerBusyError}
   */
  restart(): Promise<RestartedEventFeed> {
    return this.locked(async (client) => {
      await client.query(LIFT_IDS);
      return client.query<RestartedEventFeed>(RESTART);
    });
  }

  /** One transaction, during which nothing is sequenced. The lock is a statement of its own: what follows sees all that was committed before. */
  private locked<Row extends object>(work: (client: Client) => Promise<QueryResult<Row>>): Promise<Row> {
    return this.inSession(async (client) => {
      await client.query('begin');
      await client.query(AWAIT_LOCK).catch((error: unknown) => {
        throw sqlStateOf(error) === LOCK_NOT_AVAILABLE
          ? new SequencerBusyError(this.lockTimeoutMs, { cause: error })
          : error;
      });
      const row = await rowOf(work(client));
      await client.query('commit');
      return row;
    });
  }

  private inSession<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return withClient(this.settings, `set lock_timeout = ${this.lockTimeoutMs}`, work);
  }
}

async function rowOf<Row extends object>(result: Promise<QueryResult<Row>>): Promise<Row> {
  const [row] = (await result).rows;
  if (row === undefined) throw new Error('The table event_head has lost its row.');
  return row;
}
