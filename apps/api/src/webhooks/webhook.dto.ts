import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions, JsonNumber } from '@petstore/http-server';
import { FreeText } from '@petstore/pet-domain';
import { WebhookStatus, WebhookTypes, WebhookUrl } from '@petstore/webhook';
import { bodyMember, INSTANT_SCHEMA, INT64_SCHEMA, text, textSchema } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';

/** Hours for which the secret before the current one remains valid: at most, and by default. */
const MAX_OVERLAP_HOURS = 168;
const DEFAULT_OVERLAP_HOURS = 24;

/** A word of responses: more are added over time. */
export const CODE_SCHEMA = { type: 'string', maxLength: 32, pattern: '^[a-z_]+$' } as const;

const URL_SCHEMA = {
  type: 'string',
  format: 'uri',
  minLength: 1,
  maxLength: WebhookUrl.MAX_LENGTH,
  description:
    'Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).',
  example: 'https://shop.example/petstore',
} as const;
const TYPES_SCHEMA = {
  type: 'array' as const,
  minItems: 1,
  maxItems: WebhookTypes.MAX,
  description:
    'Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.',
  example: ['pet.updated', 'order.*'],
};
const DESCRIPTION_SCHEMA = { ...textSchema(FreeText), description: 'For people.', example: 'The web shop.' };
const STATUS_SCHEMA = {
  enum: WebhookStatus.ALL,
  enumName: 'WebhookStatus',
  description:
    'Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.',
  example: 'enabled',
} as const;

/** A URL as it is given; which ones are allowed depends on settings, see `WebhooksService`. */
const UrlMember = bodyMember(URL_SCHEMA, text({ parse: (url) => url, description: 'a URL' }));
const TypesMember = bodyMember(
  { ...TYPES_SCHEMA, items: { type: 'string', enum: [...WebhookTypes.ALL] } },
  WebhookTypes,
);
const DescriptionMember = bodyMember(DESCRIPTION_SCHEMA, text(FreeText));
const StatusMember = bodyMember(STATUS_SCHEMA, text(WebhookStatus));
const OverlapHoursMember = bodyMember(
  {
    type: 'number',
    minimum: 0,
    maximum: MAX_OVERLAP_HOURS,
    description: `For how many hours deliveries are signed with the secret before, too; ${DEFAULT_OVERLAP_HOURS} if left out. 0 ends all older ones at once.`,
    example: DEFAULT_OVERLAP_HOURS,
  },
  {
    parse: (json) => {
      const value = json instanceof JsonNumber ? Number(json.source) : NaN;
      return value >= 0 && value <= MAX_OVERLAP_HOURS ? value : undefined;
    },
    description: `a number from 0 to ${MAX_OVERLAP_HOURS}`,
  },
);

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

  @ApiProperty(URL_SCHEMA)
  url!: string;

  @ApiPropertyOptional({
    ...TYPES_SCHEMA,
    items: { type: 'string', maxLength: 64, pattern: '^[a-z]+(\\.[a-z_]+)*(\\.\\*)?$' },
  })
  types?: readonly string[];

  @ApiPropertyOptional(DESCRIPTION_SCHEMA)
  description?: string;

  @ApiProperty(STATUS_SCHEMA)
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
