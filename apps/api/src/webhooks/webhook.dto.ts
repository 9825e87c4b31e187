import { Documented } from '@petstore/http-kernel';
import { MAX_RECOVERED } from '@petstore/webhook';
import { INSTANT_SCHEMA } from '../operations/instant.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import { EVENT_TYPE_SCHEMA } from '../events/event-type.schema.js';
import { DESCRIPTION_PROPERTY, STATUS_PROPERTY, TYPES_PROPERTY, URL_PROPERTY } from './webhook.properties.js';

/** A webhook, as the document has it. */
@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'Webhook', description: 'An endpoint of the key that events are delivered to.' }),
)
export class WebhookDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({
      ...INT64_SCHEMA,
      description: 'Assigned by the service; a later webhook has a greater one.',
      example: 3,
    }),
  )
  id!: string;

  @Documented(({ ApiProperty }) => ApiProperty(URL_PROPERTY.schema))
  url!: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      ...TYPES_PROPERTY.schema,
      example: [...TYPES_PROPERTY.schema.example],
      items: { type: 'string', maxLength: 64, pattern: '^[a-z]+(\\.[a-z_]+)*(\\.\\*)?$' },
    }),
  )
  types?: readonly string[];

  @Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(DESCRIPTION_PROPERTY.schema))
  description?: string;

  @Documented(({ ApiProperty }) => ApiProperty({ ...STATUS_PROPERTY.schema, required: true }))
  status!: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      type: 'string',
      maxLength: 32,
      pattern: '^[a-z_]+$',
      description:
        'Why the service has disabled it: `failing` when every attempt has failed for five days, `gone` when the endpoint responded with 410. Absent when it was disabled by hand.',
      example: 'failing',
    }),
  )
  disabledReason?: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      ...INSTANT_SCHEMA,
      description: 'Since when every attempt has failed, in UTC; absent when the last one has not.',
    }),
  )
  failingSince?: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({ ...INSTANT_SCHEMA, description: 'When it was added, in UTC.' }),
  )
  createdAt!: string;
}

@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'WebhookWithSecret', description: 'A webhook with a new secret.' }),
)
export class WebhookWithSecretDto extends WebhookDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'string',
      minLength: 50,
      maxLength: 50,
      pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
      description: 'What deliveries are signed with (Standard Webhooks); it is shown here and never again.',
      example: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
    }),
  )
  secret!: string;
}

/** A delivery, as the document has it. */
@Documented(({ ApiSchema }) =>
  ApiSchema({ name: 'WebhookDelivery', description: 'One event for one webhook.' }),
)
export class WebhookDeliveryDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({
      ...INT64_SCHEMA,
      description: 'Assigned by the service; a later delivery has a greater one.',
      example: 7311,
    }),
  )
  id!: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      ...INT64_SCHEMA,
      description: 'Position of the event in the feed; absent for a test.',
      example: 1042,
    }),
  )
  eventId?: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({ ...EVENT_TYPE_SCHEMA, description: 'Type of the event.', example: 'pet.updated' }),
  )
  type!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'string',
      maxLength: 32,
      pattern: '^[a-z_]+$',
      description:
        '`pending`: to be attempted, for the first time or again. `delivered`: an attempt was answered with 2xx. `failed`: no attempt was, and none follows. `dropped`: the key may no longer receive the event.',
      example: 'pending',
    }),
  )
  status!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Attempts that have begun, since the delivery was last made due by hand.',
      example: 2,
    }),
  )
  attempts!: number;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({ ...INSTANT_SCHEMA, description: 'When the last attempt began, in UTC.' }),
  )
  lastAttemptAt?: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      ...INSTANT_SCHEMA,
      description: 'When the next attempt is due, in UTC; present while it is `pending`.',
      example: '2026-11-21T19:17:07.123Z',
    }),
  )
  nextAttemptAt?: string;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      type: 'integer',
      format: 'int32',
      minimum: 100,
      maximum: 999,
      description: 'HTTP status of the last response; the response itself is not kept.',
      example: 503,
    }),
  )
  responseStatus?: number;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      type: 'string',
      maxLength: 32,
      pattern: '^[a-z_]+$',
      description:
        'Why the last attempt failed: `http_status` (no 2xx), `timeout`, `dns`, `refused_address` (an address that is not public), `connection` or `tls`.',
      example: 'http_status',
    }),
  )
  error?: string;
}

@Documented(({ ApiSchema }) => ApiSchema({ name: 'Recovery', description: 'What a recovery has made due.' }))
export class RecoveryDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: MAX_RECOVERED,
      description: 'How many deliveries are due now.',
      example: 17,
    }),
  )
  requeued!: number;

  @Documented(({ ApiPropertyOptional }) =>
    ApiPropertyOptional({
      ...INT64_SCHEMA,
      description:
        'Present when the recovery ended before the end of the feed: send another one with this value as `after`.',
      example: 52_311,
    }),
  )
  next?: string;
}
