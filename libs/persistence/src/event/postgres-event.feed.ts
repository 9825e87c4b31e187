import { Inject, Injectable } from '@nestjs/common';
import {
  type EventFeed,
  type EventPage,
  type EventPageRequest,
  EventPosition,
  PositionGoneError,
} from '@petstore/event-feed';
import { Pipelines } from '../pipeline/pipelines.js';
import { SingleFlight } from '../pipeline/single-flight.js';
import { EventPageReader, type ReadEvents } from './event-page.reader.js';
import { eventsQueries } from './feed-statements.js';

/** The feed in PostgreSQL. Equal reads at the same moment are one: readers of a feed ask for the same page. */
@Injectable()
export class PostgresEventFeed implements EventFeed {
  private readonly sharedReads = new SingleFlight();

  constructor(@Inject(Pipelines) private readonly pipelines: Pipelines) {}

  async read(request: EventPageRequest): Promise<EventPage> {
    const { after, limit, resource = '', orders } = request;
    const seen = typeof orders === 'object' ? orders.keyId : orders;
    const read = await this.sharedReads.share(`${after ?? ''} ${limit} ${resource} ${seen}`, (leaving) =>
      this.readPage(request, leaving),
    );
    if (after !== undefined && after !== 'latest') refuseGone(after, read);
    return { json: read.json, position: positionOf(read, limit) };
  }

  private async readPage(request: EventPageRequest, leaving: () => void): Promise<ReadEvents> {
    const [[statement, values], otherwise] = eventsQueries(request);
    const read = await this.pipelines.reads.ask(statement, values, new EventPageReader(), leaving);
    if (read.isWhole || otherwise === undefined) return read;
    return this.pipelines.reads.ask(...otherwise, new EventPageReader());
  }
}

function refuseGone(after: EventPosition, { first, newest }: ReadEvents): void {
  const isBeyondNewest = EventPosition.compare(after, newest) > 0;
  if (isBeyondNewest || EventPosition.compare(after, first) < 0)
    throw new PositionGoneError(first, newest, isBeyondNewest);
}

function positionOf({ count, last, newest }: ReadEvents, limit: number): EventPosition {
  return count === limit && last !== undefined ? last : newest;
}
