import {
  EVENT_RESOURCES,
  type EventPageRequest,
  EventPosition,
  type EventResource,
  type EventVisibility,
} from '@petstore/event-feed';
import { LimitParameter, pageLimitOf } from '../lists/page-limit.parameter.js';
import { QueryParameter } from '../lists/query-parameter.decorator.js';

const LATEST = 'latest';

export class ListEventsQuery {
  @QueryParameter(
    'after',
    {
      type: String,
      maxLength: 19,
      pattern: '^(latest|0|[1-9][0-9]{0,18})$',
      description:
        'Only events behind this position. `latest` returns no events, but a link with the newest position. Without it the list begins with the oldest event that is kept.',
    },
    {
      parse: (text) => positionOf(text),
      expected: `latest, or a whole number from 0 to ${EventPosition.MAX} in plain decimal digits`,
    },
  )
  after?: string;

  @LimitParameter('events')
  limit?: string;

  @QueryParameter(
    'resource',
    {
      enum: EVENT_RESOURCES,
      description:
        'Only events about this resource; `order` needs the scope `orders:read`. More resources are added over time.',
    },
    { parse: (text) => resourceOf(text), expected: `one of ${EVENT_RESOURCES.join(', ')}` },
  )
  resource?: string;

  /** The only resource that a valid query asks for; `undefined` for all. */
  static toResource({ resource }: ListEventsQuery): EventResource | undefined {
    return resource === undefined ? undefined : resourceOf(resource);
  }

  /** The page that a valid query asks for. */
  static toPageRequest({ after, limit }: ListEventsQuery, visibility: EventVisibility): EventPageRequest {
    return {
      after: after === undefined ? undefined : positionOf(after),
      limit: pageLimitOf(limit),
      visibility,
    };
  }
}

function positionOf(text: string): EventPosition | typeof LATEST | undefined {
  return text === LATEST ? LATEST : EventPosition.parse(text);
}

function resourceOf(text: string): EventResource | undefined {
  return EVENT_RESOURCES.find((resource) => resource === text);
}
