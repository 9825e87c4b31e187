import { EVENT_RESOURCES, EventPosition } from '@petstore/event-feed';
import { stringEnum, text } from '@petstore/pet-domain';
import { List } from '../lists/list.js';
import { filter, LIMIT, place } from '../lists/query-parameters.js';

const After = text<EventPosition | 'latest'>({
  parse: (sent) => (sent === 'latest' ? sent : EventPosition.parse(sent)),
  description: `latest, or ${EventPosition.textDescription}`,
  schema: { maxLength: 19, pattern: '^(latest|0|[1-9][0-9]{0,18})$' },
});

export const EVENT_LIST = new List({
  path: '/events',
  what: 'events',
  parameters: {
    after: place(After, {
      description:
        'Only events behind this position. `latest` returns no events, but a link with the newest position. Without it the list begins with the oldest event that is kept.',
    }),
    limit: LIMIT,
    resource: filter(stringEnum(...EVENT_RESOURCES), {
      description:
        'Only events about this resource; `order` needs the scope `orders:read`. More resources are added over time.',
    }),
  },
});

export class ListEventsQuery extends EVENT_LIST.Query {}
