import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { EventPosition } from '@petstore/event-feed';
import { described, integer } from '@petstore/pet-domain';
import { DELIVERY_FIELDS, type DeliveryId, DeliveryStatus, MAX_REPLAYED } from '@petstore/webhook';
import { List } from '../lists/list.js';
import { cursorOf, filter, LIMIT } from '../lists/query-parameters.js';
import {
  bodyMember,
  EVENT_TYPE_SCHEMA,
  INSTANT_SCHEMA,
  INT64_SCHEMA,
  responseSchema,
} from '../operations/members.js';
import { CODE_SCHEMA } from './webhook.dto.js';

export const DELIVERY_LIST = new List({
  path: '/webhooks/{webhookId}/deliveries',
  what: 'deliveries',
  of: 'webhook',
  parameters: {
    limit: LIMIT,
    status: filter(DeliveryStatus, {
      enumName: 'DeliveryStatus',
      description: 'Only deliveries in this state.',
    }),
    cursor: cursorOf<DeliveryId>(),
  },
});

export class ListDeliveriesQuery extends DELIVERY_LIST.Query {}

const AfterMember = bodyMember(
  described(EventPosition, 'Only events behind this position of the feed.', 1041),
);

@ApiSchema({ name: 'NewRecovery', description: 'Which events are to be delivered again.' })
export class NewRecoveryDto {
  @AfterMember()
  after!: EventPosition;
}

/** A delivery as it is returned. */
@ApiSchema({ name: 'WebhookDelivery', description: 'One event for one webhook.' })
export class WebhookDeliveryDto {
  @ApiProperty({
    ...INT64_SCHEMA,
    description: 'Assigned by the service; a later delivery has a greater one.',
    example: 7311,
  })
  id!: string;

  @ApiPropertyOptional({
    ...INT64_SCHEMA,
    description: 'Position of the event in the feed; absent for a test.',
    example: 1042,
  })
  eventId?: string;

  @ApiProperty({ ...EVENT_TYPE_SCHEMA, description: 'Type of the event.', example: 'pet.updated' })
  type!: string;

  @ApiProperty({
    ...CODE_SCHEMA,
    description:
      '`pending`: to be attempted, for the first time or again. `delivered`: an attempt was answered with 2xx. `failed`: no attempt was, and none follows. `dropped`: the key may no longer receive the event.',
    example: 'pending',
  })
  status!: string;

  @ApiProperty(
    responseSchema(
      described(
        DELIVERY_FIELDS.attempts,
        'Attempts that have begun, since the delivery was last made due by hand.',
        2,
      ),
    ),
  )
  attempts!: number;

  @ApiPropertyOptional({ ...INSTANT_SCHEMA, description: 'When the last attempt began, in UTC.' })
  lastAttemptAt?: string;

  @ApiPropertyOptional({
    ...INSTANT_SCHEMA,
    description: 'When the next attempt is due, in UTC; present while it is `pending`.',
    example: '2026-11-21T19:17:07.123Z',
  })
  nextAttemptAt?: string;

  @ApiPropertyOptional(
    responseSchema(
      described(
        DELIVERY_FIELDS.responseStatus,
        'HTTP status of the last response; the response itself is not kept.',
        503,
      ),
    ),
  )
  responseStatus?: number;

  @ApiPropertyOptional({
    ...CODE_SCHEMA,
    description:
      'Why the last attempt failed: `http_status` (no 2xx), `timeout`, `dns`, `refused_address` (an address that is not public), `connection` or `tls`.',
    example: 'http_status',
  })
  error?: string;
}

@ApiSchema({ name: 'Recovery', description: 'What a recovery has made due.' })
export class RecoveryDto {
  @ApiProperty(
    responseSchema(
      described(integer({ least: 0, most: MAX_REPLAYED }), 'How many deliveries are due now.', 17),
    ),
  )
  requeued!: number;

  @ApiPropertyOptional({
    ...INT64_SCHEMA,
    description:
      'Present when the recovery ended before the end of the feed: send another one with this value as `after`.',
    example: 52_311,
  })
  next?: string;
}
