import type { Client } from 'pg';
import { explainStart } from '../connection/explain-start.js';
import { endClient, openClient } from '../connection/pg-client.js';
import { type DataSourceSettings, VARIABLE } from '../schema/data-source.js';
import type {
  EventFeedStatus,
  EventMaintenance,
  InventoryRecount,
  RestartedEventFeed,
} from './event-maintenance.js';
import { SequencerBusyError } from './sequencer-busy.error.js';
import { RECOUNT, RESTART, STATUS } from './maintenance-statements.js';
import { AWAIT_LOCK } from '../events/sequencing.queries.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** A batch of the sequencer takes far less, or reaches its own time limit. */
const LOCK_TIMEOUT_MS = 10_000;
/** Counters that are named, of those that were wrong. */
const NAMED_CORRECTIONS = 20;
/** SQLSTATE of a lock that was not given in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Each call has a connection of its own, without a time limit for statements: it counts animals for as long as it takes. */
export class PostgresEventMaintenance implements EventMaintenance {
  constructor(
    private readonly settings: DataSourceSettings,
    private readonly lockTimeoutMs = LOCK_TIMEOUT_MS,
  ) {}

  status(): Promise<EventFeedStatus> {
    return this.onConnection(async (client) => {
      const { rows } = await client.query<StatusRow>(STATUS);
      const [row] = rows;
      if (row === undefined) throw new Error('The table event_head has lost its row.');
      return {
        first: row.first,
        newest: row.newest,
        oldestKeptAt: row.oldest_kept ?? undefined,
        waiting: row.waiting,
        waitingSeconds: row.waiting_seconds ?? 0,
      };
    });
  }

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

  restart(): Promise<RestartedEventFeed> {
    return this.locked(async (client) => {
      const { rows } = await client.query<{ readonly position: string }>(RESTART);
      const [row] = rows;
      if (row === undefined) throw new Error('The table event_head has lost its row.');
      return { first: row.position };
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

  private async open(): Promise<Client> {
    const { url, applicationName = 'petstore', variable = VARIABLE } = this.settings;
    const config = {
      connectionString: url,
      application_name: applicationName,
      connectMs: CONNECT_TIMEOUT_MS,
      session: `set lock_timeout = ${this.lockTimeoutMs}`,
    };
    try {
      return await openClient(config);
    } catch (error) {
      throw explainStart(error, url, variable);
    }
  }
}

interface StatusRow {
  readonly first: string;
  readonly newest: string;
  readonly oldest_kept: Date | null;
  readonly waiting: string;
  readonly waiting_seconds: number | null;
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
