import { ApiSchema } from '@nestjs/swagger';
import { JsonBodyOptions } from '@petstore/http-server';
import { described, FreeText, INSTANT, number, optional, stringEnum, text } from '@petstore/pet-domain';
import { WebhookId, WebhookStatus, WebhookTypes, WebhookUrl } from '@petstore/webhook';
import { BodyMember, openEnum, ResponseOf } from '../operations/members.js';
import { MERGE_PATCH_MEDIA_TYPES } from '../operations/operation.js';

/** Hours for which the secret before the current one remains valid: at most, and by default. */
const MAX_OVERLAP_HOURS = 168;
const DEFAULT_OVERLAP_HOURS = 24;

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
const OVERLAP_HOURS = described(
  number({ least: 0, most: MAX_OVERLAP_HOURS }),
  `For how many hours deliveries are signed with the secret before, too; ${DEFAULT_OVERLAP_HOURS} if left out. 0 ends all older ones at once.`,
  DEFAULT_OVERLAP_HOURS,
);
/** Of a type that there may be one day, or of all types of a kind. */
const TYPE_OR_KIND = '^[a-z]+(\\.[a-z_]+)*(\\.\\*)?$';

@ApiSchema({ name: 'NewWebhook', description: 'A webhook to be added.' })
export class NewWebhookDto {
  @BodyMember(URL)
  url!: string;

  @BodyMember(TYPES, 'optional')
  types?: readonly string[];

  @BodyMember(DESCRIPTION, 'optional')
  description?: FreeText;
}

@ApiSchema({
  name: 'WebhookPatch',
  description: 'What is to change of a webhook; the rest stays as it is.',
})
@JsonBodyOptions({ mediaTypes: MERGE_PATCH_MEDIA_TYPES })
export class WebhookPatchDto {
  @BodyMember(URL, 'patched')
  url?: string;

  @BodyMember(TYPES, 'removable')
  types?: readonly string[] | null;

  @BodyMember(DESCRIPTION, 'removable')
  description?: FreeText | null;

  @BodyMember(STATUS, 'patched')
  status?: WebhookStatus;
}

@ApiSchema({ name: 'SecretRotation', description: 'How a secret is replaced.' })
@JsonBodyOptions({ isOptional: true })
export class SecretRotationDto {
  @BodyMember(OVERLAP_HOURS, 'optional')
  overlapHours: number = DEFAULT_OVERLAP_HOURS;
}

const WEBHOOK = {
  id: described(WebhookId, 'Assigned by the service; a later webhook has a greater one.', 3),
  url: URL,
  types: optional({
    ...TYPES,
    schema: { ...TYPES.schema, items: { type: 'string', maxLength: 64, pattern: TYPE_OR_KIND } as const },
  }),
  description: optional(DESCRIPTION),
  status: STATUS,
  disabledReason: openEnum(
    optional(
      described(
        stringEnum('failing', 'gone'),
        'Why the service has disabled it: `failing` when every attempt has failed for five days, `gone` when the endpoint responded with 410. Absent when it was disabled by hand.',
        'failing',
      ),
    ),
  ),
  failingSince: optional(
    described(INSTANT, 'Since when every attempt has failed, in UTC; absent when the last one has not.'),
  ),
  createdAt: described(INSTANT, 'When it was added, in UTC.'),
};

/** A webhook as it is returned. */
@ApiSchema({ name: 'Webhook', description: 'An endpoint of the key that events are delivered to.' })
@ResponseOf(WEBHOOK)
export class WebhookDto {}

const SECRET = {
  type: 'string',
  minLength: 50,
  maxLength: 50,
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'What deliveries are signed with (Standard Webhooks); it is shown here and never again.',
  example: 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
} as const;

@ApiSchema({ name: 'WebhookWithSecret', description: 'A webhook with a new secret.' })
@ResponseOf({ ...WEBHOOK, secret: { schema: SECRET } })
export class WebhookWithSecretDto {}
