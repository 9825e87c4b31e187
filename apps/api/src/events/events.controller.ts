import { Controller, Get, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { Caller } from '../access/caller.decorator.js';
import { CONTRACT_HEADERS } from '../operations/contract.headers.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { pageResponse } from '../operations/responses.js';
import { ListEventsQuery } from './event.dto.js';
import { EVENT_ERRORS } from './event.errors.js';
import { EVENTS, PLACED_AND_PENDING } from './events.docs.js';
import { EventsService } from './events.service.js';

/** The feed (docs/contract.md, "Events"). */
@Controller('v1/events')
@Resource(EVENTS)
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation({
    id: 'listEvents',
    summary: 'Follow the feed of changes',
    description:
      'Returns events, oldest first. Events about orders need the scope `orders:read`, and are those of orders that were placed with the same key, or of all with `orders:manage`. Every response carries a `Link` header with `rel="next"`, also an empty one: follow it, after a pause if there were fewer events than `limit`. Whoever has read up to a position has missed nothing before it.',
    since: '1.1.0',
    scope: 'pets:read',
    isConditional: true,
    success: {
      status: 200,
      description: 'A page of the feed, which may be empty.',
      schema: 'Events',
      headers: [CONTRACT_HEADERS.Link],
      example: PLACED_AND_PENDING,
    },
    errors: [EVENT_ERRORS.position_gone],
  })
  async list(@Caller() caller: Caller, @Query() query: ListEventsQuery): Promise<JsonResponse> {
    return pageResponse(await this.events.list(query, caller));
  }
}
