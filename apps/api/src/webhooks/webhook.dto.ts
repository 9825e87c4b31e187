import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import { described, FreeText, number, text } from '@petstore/pet-domain';
import { WebhookStatus, WebhookTypes, WebhookUrl } from '@petstore/webhook';
import { bodyMember, INSTANT_SCHEMA, INT64_SCHEMA, responseSchema } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';

/** Hours for which the secret before the current one remains valid: at most, and by default. */
const MAX_OVERLAP_HOURS = 168;
const DEFAULT_OVERLAP_HOURS = 24;

/** A word of responses: more are added over time. */
export const CODE_SCHEMA = { type: 'string', maxLength: 32, pattern: '^[a-z_]+$' } as const;

/** A URL as it is given; which ones are allowed depends on settings, see `WebhooksService`. */
const URL = described(
  text({
    description: 'a URL',
    parse: (sent) => sent,
    schema: { format: 'uri', minLength: 1, maxLength: WebhookUrl.MAX_LENGTH },
  }),
  'Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).',
  'https://shop.example/petstore',
);
const TYPES = described(
  WebhookTypes,
  'Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.',
  ['pet.updated', 'order.*'],
);
const DESCRIPTION = described(FreeText, 'For people.', 'The web shop.');
const STATUS = described(
  WebhookStatus,
  'Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.',
  'enabled',
);
const STATUS_NAME = { enumName: 'WebhookStatus' };
const OVERLAP_HOURS = described(
  number({ least: 0, most: MAX_OVERLAP_HOURS }),
  `For how many hours deliveries are signed with the secret before, too; ${DEFAULT_OVERLAP_HOURS} if left out. 0 ends all older ones at once.`,
  DEFAULT_OVERLAP_HOURS,
);

const UrlMember = bodyMember(URL);
const TypesMember = bodyMember(TYPES);
const DescriptionMember = bodyMember(DESCRIPTION);
const StatusMember = bodyMember(STATUS, STATUS_NAME);
const OverlapHoursMember = bodyMember(OVERLAP_HOURS);

@ApiSchema({ name: 'NewWebhook', description: 'A webhook to be added.' })
export class NewWebhookDto {
  @UrlMember()
  url!: string;

  @TypesMember('optional')
  types?: readonly string[];

  @DescriptionMember('optional')
  description?: FreeText;
}

@ApiSchema({
  name: 'WebhookPatch',
  description: 'What is to change of a webhook; the rest stays as it is.',
})
@JsonBodyOptions({ mediaTypes: MERGE_PATCH_MEDIA_TYPES })
export class WebhookPatchDto {
  @UrlMember('patched')
  url?: string;

  @TypesMember('removable')
  types?: readonly string[] | null;

  @DescriptionMember('removable')
  description?: FreeText | null;

  @StatusMember('patched')
  status?: WebhookStatus;
}

@ApiSchema({ name: 'SecretRotation', description: 'How a secret is replaced.' })
@JsonBodyOptions({ isOptional: true })
export class SecretRotationDto {
  @OverlapHoursMember('optional')
  overlapHours: number = DEFAULT_OVERLAP_HOURS;
}

/** A webhook as it is returned. */
@ApiSchema({ name: 'Webhook', description: 'An endpoint of the key that events are delivered to.' })
export class WebhookDto {
  @ApiProperty({
    ...INT64_SCHEMA,
    description: 'Assigned by the service; a later webhook has a greater one.',
    example: 3,
  })
  id!: string;

  @ApiProperty(responseSchema(URL))
  url!: string;

  @ApiPropertyOptional({
    ...responseSchema(TYPES),
    items: { type: 'string', maxLength: 64, pattern: '^[a-z]+(\\.[a-z_]+)*(\\.\\*)?$' },
  })
  types?: readonly string[];

  @ApiPropertyOptional(responseSchema(DESCRIPTION))
  description?: string;

  @ApiProperty({ ...responseSchema(STATUS), ...STATUS_NAME })
  status!: string;

  @ApiPropertyOptional({
    ...CODE_SCHEMA,
    description:
      'Why the service has disabled it: `failing` when every attempt has failed for five days, `gone` when the endpoint responded with 410. Absent when it was disabled by hand.',
    example: 'failing',
  })
  disabledReason?: string;

  @ApiPropertyOptional({
    ...INSTANT_SCHEMA,
    description: 'Since when every attempt has failed, in UTC; absent when the last one has not.',
  })
  failingSince?: string;

  @ApiProperty({ ...INSTANT_SCHEMA, description: 'When it was added, in UTC.' })
  createdAt!: string;
}

@ApiSchema({ name: 'WebhookWithSecret', description: 'A webhook with a new secret.' })
export class WebhookWithSecretDto extends WebhookDto {
  @ApiProperty({
    type: 'string',
    minLength: 50,
    maxLength: 50,
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    description: 'What deliveries are signed with (Standard Webhooks); it is shown here and never again.',
    example: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
  })
  secret!: string;
}
