import type { Client } from 'pg';
import { endClient, openClient } from '../connection/database-client.js';
import type { DataSourceSettings } from '../schema/data-source.js';
import { RECOUNT, RESTART, STATUS } from './maintenance.queries.js';
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
  /** `undefined` for all animals. */
  readonly categoryId: string | undefined;
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

const CONNECT_TIMEOUT_MS = 5_000;
/** A batch of the sequencer takes far less, or reaches its own time limit. */
const LOCK_TIMEOUT_MS = 10_000;
/** Counters that are named, of those that were wrong. */
const NAMED_CORRECTIONS = 20;
/** SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Maintenance of the feed and its counters by operators, while the service runs. Each call has its own connection
 * without a time limit for statements, because counting all animals may take long.
 */
export class EventMaintenance {
  constructor(
    private readonly settings: DataSourceSettings,
    private readonly lockTimeoutMs = LOCK_TIMEOUT_MS,
  ) {}

  status(): Promise<EventFeedStatus> {
    return this.onConnection(async (client) => {
      const { rows } = await client.query<EventFeedStatus>(STATUS);
      return theRow(rows);
    });
  }

  /**
   * Recounts all animals. Meanwhile animals can be changed, but no event gets a position.
   *
   * @throws {SequencerBusyError}
   */
  recount(): Promise<InventoryRecount> {
    return this.locked(async (client) => {
      const { rows } = await client.query<RecountRow>(RECOUNT, [NAMED_CORRECTIONS]);
      const [{ total, corrected } = { total: '0', corrected: '0' }] = rows;
      return {
        animals: total,
        corrected: Number(corrected),
        corrections: rows.flatMap(({ category_id, status, was, animals }) =>
          category_id === null
            ? []
            : [{ categoryId: category_id === '0' ? undefined : category_id, status, was, animals }],
        ),
      };
    });
  }

  /**
   * Raises the position of the feed so far that every reader must begin anew: after a restore its readers may know
   * positions of events that are no more.
   *
   * @throws {SequencerBusyError}
   */
  restart(): Promise<RestartedEventFeed> {
    return this.locked(async (client) => {
      const { rows } = await client.query<{ readonly position: string }>(RESTART);
      return { first: theRow(rows).position };
    });
  }

  /** One transaction, during which nothing is sequenced. The lock is a statement of its own: what follows sees all that was committed before. */
  private locked<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.onConnection(async (client) => {
      await client.query('begin');
      try {
        await client.query(AWAIT_LOCK);
      } catch (error) {
        if ((error as { readonly code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        throw new SequencerBusyError(this.lockTimeoutMs, { cause: error });
      }
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /** A transaction that is not committed ends with its connection. */
  private async onConnection<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.open();
    try {
      return await work(client);
    } finally {
      await endClient(client);
    }
  }

  private open(): Promise<Client> {
    const { url, applicationName = 'petstore' } = this.settings;
    const config = {
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      session: `set lock_timeout = ${this.lockTimeoutMs}`,
    };
    return openClient(config);
  }
}

interface RecountRow {
  readonly total: string;
  readonly corrected: string;
  /** `null` in the only row when no counter was wrong. */
  readonly category_id: string | null;
  readonly status: string;
  readonly was: string;
  readonly animals: string;
}

function theRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The table event_head has lost its row.');
  return row;
}
