import { ApiSchema } from '@nestjs/swagger';
import { EventPosition } from '@petstore/event-feed';
import { described, int64, integer, optional } from '@petstore/pet-domain';
import { DELIVERY_FIELDS, type DeliveryId, DeliveryStatus, MAX_REPLAYED } from '@petstore/webhook';
import { List } from '../lists/list.js';
import { cursorOf, filter, LIMIT } from '../lists/query-parameters.js';
import { BodyMember, EVENT_TYPE_SCHEMA, openEnum, ResponseOf } from '../operations/members.js';

export const DELIVERY_LIST = new List({
  path: '/webhooks/{webhookId}/deliveries',
  what: 'deliveries',
  of: 'webhook',
  parameters: {
    limit: LIMIT,
    status: filter(DeliveryStatus, { description: 'Only deliveries in this state.' }),
    cursor: cursorOf<DeliveryId>(),
  },
});

export class ListDeliveriesQuery extends DELIVERY_LIST.Query {}

@ApiSchema({ name: 'NewRecovery', description: 'Which events are to be delivered again.' })
export class NewRecoveryDto {
  @BodyMember(described(EventPosition, 'Only events behind this position of the feed.', 1041))
  after!: EventPosition;
}

/** A delivery as it is returned. */
@ApiSchema({ name: 'WebhookDelivery', description: 'One event for one webhook.' })
@ResponseOf({
  ...DELIVERY_FIELDS,
  type: openEnum(DELIVERY_FIELDS.type, EVENT_TYPE_SCHEMA),
  status: openEnum(DELIVERY_FIELDS.status),
  error: openEnum(DELIVERY_FIELDS.error),
})
export class WebhookDeliveryDto {}

const NEXT =
  'Present when the recovery ended before the end of the feed: send another one with this value as `after`.';

@ApiSchema({ name: 'Recovery', description: 'What a recovery has made due.' })
@ResponseOf({
  requeued: described(integer({ least: 0, most: MAX_REPLAYED }), 'How many deliveries are due now.', 17),
  next: optional(described(int64(), NEXT, 52_311)),
})
export class RecoveryDto {}
