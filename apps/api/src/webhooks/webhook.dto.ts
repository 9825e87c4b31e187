import { ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import { described, type FreeText, number } from '@petstore/pet-domain';
import { WEBHOOK_FIELDS, WEBHOOK_WITH_SECRET_FIELDS, type WebhookStatus } from '@petstore/webhook';
import { BodyMember, openEnum, ResponseOf } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';

/** Hours for which the secret before the current one remains valid: at most, and by default. */
const MAX_OVERLAP_HOURS = 168;
const DEFAULT_OVERLAP_HOURS = 24;

const OVERLAP_HOURS = described(
  number({ least: 0, most: MAX_OVERLAP_HOURS }),
  `For how many hours deliveries are signed with the secret before, too; ${DEFAULT_OVERLAP_HOURS} if left out. 0 ends all older ones at once.`,
  DEFAULT_OVERLAP_HOURS,
);

@ApiSchema({ name: 'NewWebhook', description: 'A webhook to be added.' })
export class NewWebhookDto {
  @BodyMember(WEBHOOK_FIELDS.url)
  url!: string;

  @BodyMember(WEBHOOK_FIELDS.types, 'optional')
  types?: readonly string[];

  @BodyMember(WEBHOOK_FIELDS.description, 'optional')
  description?: FreeText;
}

@ApiSchema({
  name: 'WebhookPatch',
  description: 'What is to change of a webhook; the rest stays as it is.',
})
@JsonBodyOptions({ mediaTypes: MERGE_PATCH_MEDIA_TYPES })
export class WebhookPatchDto {
  @BodyMember(WEBHOOK_FIELDS.url, 'patched')
  url?: string;

  @BodyMember(WEBHOOK_FIELDS.types, 'removable')
  types?: readonly string[] | null;

  @BodyMember(WEBHOOK_FIELDS.description, 'removable')
  description?: FreeText | null;

  @BodyMember(WEBHOOK_FIELDS.status, 'patched')
  status?: WebhookStatus;
}

@ApiSchema({ name: 'SecretRotation', description: 'How a secret is replaced.' })
@JsonBodyOptions({ isOptional: true })
export class SecretRotationDto {
  @BodyMember(OVERLAP_HOURS, 'optional')
  overlapHours: number = DEFAULT_OVERLAP_HOURS;
}

/** Of a type that there may be one day, or of all types of a kind. */
const TYPE_OR_KIND = { type: 'string', maxLength: 64, pattern: '^[a-z]+(\\.[a-z_]+)*(\\.\\*)?$' } as const;

/** Members whose words are those of today: more are added over time. */
const OPEN = {
  types: { ...WEBHOOK_FIELDS.types, schema: { ...WEBHOOK_FIELDS.types.schema, items: TYPE_OR_KIND } },
  disabledReason: openEnum(WEBHOOK_FIELDS.disabledReason),
};

/** A webhook as it is returned. */
@ApiSchema({ name: 'Webhook', description: 'An endpoint of the key that events are delivered to.' })
@ResponseOf({ ...WEBHOOK_FIELDS, ...OPEN })
export class WebhookDto {}

@ApiSchema({ name: 'WebhookWithSecret', description: 'A webhook with a new secret.' })
@ResponseOf({ ...WEBHOOK_WITH_SECRET_FIELDS, ...OPEN })
export class WebhookWithSecretDto {}
