import { type EventPage, type EventPageRequest, PositionGoneError } from '@petstore/event-feed';
import type { JsonResponse } from '@petstore/http-kernel';
import { QueryParameters } from '@petstore/http-server';
import { EventFeed } from '@petstore/persistence';
import { Caller } from '../access/caller.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { pageResponse } from '../operations/contract-responses.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { EventLinks } from './event-links.js';
import { eventPageTag } from './event-page-tag.js';
import { EVENTS_RESOURCE, LIST_EVENTS } from './events.operations.js';
import { ListEventsQuery } from './list-events.query.js';
import { positionGone } from './position-gone.js';
import { eventsVisibleTo } from './visible-events.js';

@ContractController(EVENTS_RESOURCE)
export class EventsController {
  constructor(
    private readonly feed: EventFeed,
    private readonly links: EventLinks,
  ) {}

  @ContractOperation(LIST_EVENTS)
  async list(
    @Caller() caller: Caller,
    @QueryParameters(ListEventsQuery) query: ListEventsQuery,
  ): Promise<JsonResponse> {
    const resource = ListEventsQuery.toResource(query);
    const request = ListEventsQuery.toPageRequest(query, eventsVisibleTo(caller, resource));
    const page = await this.read(request);
    return pageResponse(page.json, this.links.next(request, page.position, resource), eventPageTag(page));
  }

  private async read(request: EventPageRequest): Promise<EventPage> {
    try {
      return await this.feed.read(request);
    } catch (error) {
      if (error instanceof PositionGoneError) throw positionGone(error, request.after);
      throw error;
    }
  }
}
