import { JsonNumber, JsonText } from '@petstore/http-kernel';
import { EventPosition } from '@petstore/event-feed';
import { WebhookStatus, WebhookTypes, WebhookUrl } from '@petstore/webhook';
import { FREE_TEXT_RULE, FREE_TEXT_SCHEMA } from '../operations/free-text.schema.js';
import { COUNT_SCHEMA } from '../operations/int64.schema.js';

/** Most hours for which the secret before the current one remains valid, and how many unless said. */
const MAX_OVERLAP_HOURS = 168;
export const DEFAULT_OVERLAP_HOURS = 24;

/** Longest list of types as JSON, in characters: enough for all of them, every character escaped. */
const MAX_TYPES_SOURCE = 4_096;

/** A URL as it is given; which ones are allowed depends on settings (`webhook-input.ts`). */
export const URL_PROPERTY = {
  schema: {
    type: 'string',
    format: 'uri',
    minLength: 1,
    maxLength: WebhookUrl.MAX_LENGTH,
    description:
      'Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).',
    example: 'https://shop.example/petstore',
  },
  rule: {
    parse: (json: unknown): string | undefined =>
      typeof json === 'string' && json !== '' && json.length <= WebhookUrl.MAX_LENGTH ? json : undefined,
    expected: `a URL of at most ${WebhookUrl.MAX_LENGTH} characters`,
  },
} as const;

export const TYPES_PROPERTY = {
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: WebhookTypes.MAX,
    description:
      'Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.',
    example: ['pet.updated', 'order.*'],
  },
  rule: {
    parse: (json: unknown): readonly string[] | undefined => {
      const types = listOf(json);
      return types !== undefined && WebhookTypes.flaw(types) === undefined ? types : undefined;
    },
    expected: `a list of 1 to ${WebhookTypes.MAX} of ${WebhookTypes.ALL.join(', ')}`,
  },
} as const;

export const DESCRIPTION_PROPERTY = {
  schema: { ...FREE_TEXT_SCHEMA, description: 'For people.', example: 'The web shop.' },
  rule: FREE_TEXT_RULE,
} as const;

export const STATUS_PROPERTY = {
  schema: {
    enum: WebhookStatus.ALL,
    enumName: 'WebhookStatus',
    description:
      'Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.',
    example: 'enabled',
  },
  rule: {
    parse: (json: unknown): WebhookStatus | undefined =>
      typeof json === 'string' ? WebhookStatus.parse(json) : undefined,
    expected: `one of ${WebhookStatus.ALL.join(', ')}`,
  },
} as const;

export const OVERLAP_PROPERTY = {
  schema: {
    type: 'number',
    minimum: 0,
    maximum: MAX_OVERLAP_HOURS,
    description: `For how many hours deliveries are signed with the secret before, too; ${DEFAULT_OVERLAP_HOURS} if left out. 0 ends all older ones at once.`,
    example: DEFAULT_OVERLAP_HOURS,
  },
  rule: {
    parse: (json: unknown): number | undefined => {
      const hours = json instanceof JsonNumber ? Number(json.source) : NaN;
      return hours >= 0 && hours <= MAX_OVERLAP_HOURS ? hours : undefined;
    },
    expected: `a number from 0 to ${MAX_OVERLAP_HOURS}`,
  },
} as const;

export const AFTER_PROPERTY = {
  schema: {
    ...COUNT_SCHEMA,
    description: 'Only events behind this position of the feed.',
    example: 1041,
  },
  rule: {
    parse: (json: unknown): EventPosition | undefined =>
      json instanceof JsonNumber ? EventPosition.parse(json.toDigits() ?? '') : undefined,
    expected: `a whole number from 0 to ${EventPosition.MAX}`,
  },
} as const;

/** The texts of an array that is well-formed JSON; `undefined` for anything else. */
function listOf(json: unknown): readonly string[] | undefined {
  if (!(json instanceof JsonText) || json.source.length > MAX_TYPES_SOURCE) return undefined;
  const value: unknown = JSON.parse(json.source);
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
}
