import { Injectable } from '@nestjs/common';
import {
  type EventPage,
  type EventPageRequest,
  EventPosition,
  type FeedLimits,
  requireKept,
} from '@petstore/event-feed';
import { StoreUnavailableError } from '@petstore/pet-domain';
import { Database } from '../database/database.js';
import type { Reads } from '../database/read-replica.js';
import { type FeedQuery, feedQuery } from './feed.queries.js';

/** A page and the limits of the feed at the same moment. */
interface FeedRow extends FeedLimits {
  readonly count: number;
  /** Of the last event of the page. */
  readonly last: EventPosition | undefined;
  readonly json: string;
}

/** The event feed: all events in one order that never changes. */
@Injectable()
export class EventFeed {
  constructor(private readonly database: Database) {}

  /**
   * Reads a page. Nothing is ever inserted before a position that a reader has reached.
   *
   * A replica gives what the primary has shown already: with synchronous replication a commit is visible on replicas before
   * it is on the primary, and another server that becomes the primary may not have it.
   *
   * @param allowStale whether the latest events may be missing: then a replica may serve
   * @throws {PositionGoneError}
   * @throws {StoreUnavailableError}
   */
  async read(request: EventPageRequest, allowStale = false): Promise<EventPage> {
    const { reads: primary, replica } = this.database;
    if (!allowStale || replica === undefined) return this.readFrom(primary, request);
    if (request.after === 'latest') return { json: '[]', position: await replica.feedEnd() };
    return replica.serve((reads, isReplica) =>
      this.readFrom(reads, request, isReplica ? replica.sharedEnd : undefined),
    );
  }

  /** @param sharedEnd where the feed of a replica ends, which may be behind the position that another server has given out */
  private async readFrom(
    reads: Reads,
    request: EventPageRequest,
    sharedEnd?: EventPosition,
  ): Promise<EventPage> {
    const { after, limit } = request;
    const end = sharedEnd ?? EventPosition.MAX;
    const { json, count, last, first, newest } = await rowOf(reads, feedQuery(request, end));
    if (isPosition(after)) {
      const isBeyondNewest = EventPosition.compare(after, newest) > 0;
      if (isBeyondNewest && sharedEnd !== undefined)
        throw new StoreUnavailableError('The replica is behind this position.');
      requireKept(after, { first, newest });
    }
    if (count === limit && last !== undefined) return { json, position: last };
    const shown = EventPosition.compare(newest, end) < 0 ? newest : end;
    return { json, position: isPosition(after) && EventPosition.compare(shown, after) < 0 ? after : shown };
  }
}

function isPosition(after: EventPageRequest['after']): after is EventPosition {
  return after !== undefined && after !== 'latest';
}

async function rowOf(reads: Reads, query: FeedQuery): Promise<FeedRow> {
  const [row] = await reads.queryOnce(...query);
  if (row === undefined) throw new Error('The table event_head has lost its row.');
  const [first, newest, count, last, json] = row;
  return {
    first: first as EventPosition,
    newest: newest as EventPosition,
    count: Number(count),
    last: (last ?? undefined) as EventPosition | undefined,
    json: json ?? '[]',
  };
}
