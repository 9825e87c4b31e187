import { Controller, Get, Query } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { Caller } from '@petstore/api-key';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { pageResponse } from '../operations/responses.js';
import { ListEventsQuery } from './event.dto.js';
import { EVENT_OPERATIONS, EVENTS } from './events.docs.js';
import { EventsService } from './events.service.js';

/** The feed (docs/contract.md, "Events"). */
@Controller('v1/events')
@Resource(EVENTS)
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation(EVENT_OPERATIONS.listEvents)
  async list(@Caller() caller: Caller, @Query() query: ListEventsQuery): Promise<JsonResponse> {
    return pageResponse(await this.events.list(query, caller));
  }
}
