import { Injectable } from '@nestjs/common';
import {
  type EventPage,
  type EventPageRequest,
  type EventPosition,
  type FeedLimits,
  PositionGoneError,
  requireKept,
} from '@petstore/event-feed';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { Database } from '../database/database.js';
import type { ReadLane } from '../database/read-replica.js';
import { isTrue } from '../fast-lane/statement.js';
import { AWAITED_COMMITS, type FeedQuery, feedQueries } from './feed.queries.js';

/** A page and the limits of the feed at the same moment. */
interface FeedRow extends FeedLimits {
  /** Whether these are all events of the page; otherwise there may be more. */
  readonly isWhole: boolean;
  readonly count: number;
  /** Of the last event of the page. */
  readonly last: EventPosition | undefined;
  readonly json: string;
}

/** Everything that has happened, in one order that never changes. */
@Injectable()
export class EventFeed {
  constructor(private readonly database: Database) {}

  /**
   * Reads a page. A reader that has read up to a position has everything up to it for ever: nothing is ever put before
   * it.
   *
   * @param mayLag whether the events of the last 5 s may be missing: then a replica may serve
   * @throws {PositionGoneError}
   * @throws {StoreUnavailableError}
   */
  async read(request: EventPageRequest, mayLag = false): Promise<EventPage> {
    const { reads, replica } = this.database;
    if (!mayLag || replica === undefined) return this.readFrom(reads, request);
    if (request.after === 'latest') return { json: '[]', position: await replica.feedEnd() };
    try {
      return await this.readFrom(replica, request);
    } catch (error) {
      // The replica may be behind the position that another server has given to the reader.
      if (error instanceof PositionGoneError) return this.readOnPrimary(request);
      throw error;
    }
  }

  /**
   * Reads on the primary for a reader whose position may come from a replica. With synchronous replication a commit is
   * visible on replicas before it is on the primary, which waits for one of them: meanwhile the position is not refused.
   */
  private async readOnPrimary(request: EventPageRequest): Promise<EventPage> {
    const { reads } = this.database;
    // Before the page: a commit that is no longer awaited then is in it.
    const [awaited] = await reads.queryOnce(AWAITED_COMMITS);
    try {
      return await this.readFrom(reads, request);
    } catch (error) {
      if (error instanceof PositionGoneError && error.isBeyondNewest && isTrue(awaited?.[0]))
        throw new StoreUnavailableError('A commit waits for a synchronous standby.', { cause: error });
      throw error;
    }
  }

  private async readFrom(lane: ReadLane, request: EventPageRequest): Promise<EventPage> {
    const { after, limit } = request;
    const [query, otherwise] = feedQueries(request);
    let row = await rowOf(lane, query);
    if (!row.isWhole && otherwise !== undefined) row = await rowOf(lane, otherwise);
    if (after !== undefined && after !== 'latest') requireKept(after, row);
    const { json, count, last, newest } = row;
    return { json, position: count === limit && last !== undefined ? last : newest };
  }
}

async function rowOf(lane: ReadLane, query: FeedQuery): Promise<FeedRow> {
  const [row] = await lane.queryOnce(...query);
  if (row === undefined) throw new Error('The table event_head has lost its row.');
  const [first, newest, isWhole, count, last, json] = row;
  return {
    first: first as EventPosition,
    newest: newest as EventPosition,
    isWhole: isTrue(isWhole),
    count: Number(count),
    last: (last ?? undefined) as EventPosition | undefined,
    json: json ?? '[]',
  };
}
