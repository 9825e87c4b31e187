import { EVENT_RESOURCES, EventPosition, type EventResource } from '@petstore/event-feed';
import { PageLimit, stringEnum } from '@petstore/pet-domain';
import { LimitParameter, EnumParameter } from '../lists/list-parameters.js';
import { queryMember } from '../operations/members.js';

const AfterParameter = queryMember(
  {
    type: String,
    maxLength: 19,
    pattern: '^(latest|0|[1-9][0-9]{0,18})$',
    description:
      'Only events behind this position. `latest` returns no events, but a link with the newest position. Without it the list begins with the oldest event that is kept.',
  },
  {
    parse: (text) => (text === 'latest' ? text : EventPosition.parse(text)),
    description: `latest, or a whole number from 0 to ${EventPosition.MAX} in plain decimal digits`,
  },
);

export class ListEventsQuery {
  @AfterParameter
  after?: EventPosition | 'latest';

  @LimitParameter('events')
  limit: number = PageLimit.DEFAULT;

  @EnumParameter(stringEnum(...EVENT_RESOURCES), {
    description:
      'Only events about this resource; `order` needs the scope `orders:read`. More resources are added over time.',
  })
  resource?: EventResource;
}
