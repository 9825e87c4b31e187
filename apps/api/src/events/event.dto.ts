import { EVENT_RESOURCES, EventPosition, type EventResource } from '@petstore/event-feed';
import { PageLimit, stringEnum, text } from '@petstore/pet-domain';
import { LimitParameter } from '../lists/list-parameters.js';
import { queryMember } from '../operations/members.js';

const AFTER = text({
  description: `latest, or ${EventPosition.textDescription}`,
  parse: (sent) => (sent === 'latest' ? sent : EventPosition.parse(sent)),
  schema: { maxLength: 19, pattern: '^(latest|0|[1-9][0-9]{0,18})$' },
});

export class ListEventsQuery {
  @queryMember(AFTER, {
    description:
      'Only events behind this position. `latest` returns no events, but a link with the newest position. Without it the list begins with the oldest event that is kept.',
  })
  after?: EventPosition | 'latest';

  @LimitParameter('events')
  limit: number = PageLimit.DEFAULT;

  @queryMember(stringEnum(...EVENT_RESOURCES), {
    description:
      'Only events about this resource; `order` needs the scope `orders:read`. More resources are added over time.',
  })
  resource?: EventResource;
}
