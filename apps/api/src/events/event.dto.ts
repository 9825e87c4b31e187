import { ApiPropertyOptional } from '@nestjs/swagger';
import { EVENT_RESOURCES, EventPosition, type EventResource } from '@petstore/event-feed';
import { PageLimit } from '@petstore/pet-domain';
import { LimitParameter } from '../lists/list-parameters.js';
import { QueryParameter } from '../operations/dto.decorators.js';

export class ListEventsQuery {
  @ApiPropertyOptional({
    type: String,
    maxLength: 19,
    pattern: '^(latest|0|[1-9][0-9]{0,18})$',
    description:
      'Only events behind this position. `latest` returns no events, but a link with the newest position. Without it the list begins with the oldest event that is kept.',
  })
  @QueryParameter({
    parse: (text) => (text === 'latest' ? text : EventPosition.parse(text)),
    expected: `latest, or a whole number from 0 to ${EventPosition.MAX} in plain decimal digits`,
  })
  after?: EventPosition | 'latest';

  @LimitParameter('events')
  limit: number = PageLimit.DEFAULT;

  @ApiPropertyOptional({
    enum: EVENT_RESOURCES,
    description:
      'Only events about this resource; `order` needs the scope `orders:read`. More resources are added over time.',
  })
  @QueryParameter({
    parse: (text) => EVENT_RESOURCES.find((resource) => resource === text),
    expected: `one of ${EVENT_RESOURCES.join(', ')}`,
  })
  resource?: EventResource;
}
