import { ANY_SECRET_KEY } from '@petstore/api-key';
import type { SchemaObject } from '@petstore/http-server';
import { HISTORY_DAYS } from '@petstore/persistence';
import { MAX_LIMIT } from '@petstore/rate-limit';
import { EXAMPLE_LIMITS, PETSTORE_PLANS } from '../access/petstore-plans.js';
import { INSTANT_SCHEMA } from '../operations/members.js';
import { defineOperations, ok, type ResourceOptions } from '../operations/operation.js';

/** Members of an object, all but `expiresAt` always there; their examples make that of the object. */
type Members = Readonly<Record<string, SchemaObject>>;

function objectOf(description: string, properties: Members): SchemaObject {
  const required = Object.keys(properties).filter((name) => name !== 'expiresAt');
  return { type: 'object', description, required, properties };
}

function exampleOf(properties: Members): object {
  return Object.fromEntries(Object.entries(properties).map(([name, { example }]) => [name, example]));
}

/** Fits into a double: no key makes 2^53 requests in a day. */
const REQUESTS = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const LIMIT = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT } as const;

const LIMITS: Members = {
  perMinute: { ...LIMIT, description: 'In any 60 seconds.', example: EXAMPLE_LIMITS.perMinute },
  perDay: { ...LIMIT, description: 'In any 24 hours.', example: EXAMPLE_LIMITS.perDay },
};

const DAY: Members = {
  date: { type: 'string', format: 'date', maxLength: 10, example: '2026-11-21' },
  requests: {
    ...REQUESTS,
    description: 'Requests with this key, those that were refused included.',
    example: 931,
  },
  refused: { ...REQUESTS, description: 'Of these, how many were refused with 429.', example: 4 },
};

const KEY: Members = {
  keyId: {
    type: 'string',
    maxLength: 20,
    pattern: '^key_[0-9A-Za-z]{16}$',
    description: 'Names the key to its operator and in orders; no secret, and the same after a rotation.',
    example: 'key_Wz6Oq1rXc8TqLd0A',
  },
  name: {
    type: 'string',
    maxLength: 100,
    // A name that SQL has written may hold any character that the database can.
    pattern: '^[^\\u0000]+$',
    description: 'What the operator calls the key.',
    example: 'Shop website',
  },
  plan: {
    type: 'string',
    maxLength: 64,
    pattern: '^[a-z]+$',
    description: `${PETSTORE_PLANS.all.map((plan) => `\`${plan}\``).join(', ')}; more may be added.`,
    example: 'free',
  },
  scopes: {
    type: 'array',
    maxItems: 64,
    description: 'What the key may do.',
    items: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+([:._-][a-z0-9]+)*$' },
    example: ['pets:read', 'pets:write'],
  },
  expiresAt: {
    ...INSTANT_SCHEMA,
    description: 'When the key expires; absent if it never does.',
    example: '2027-11-21T00:00:00.000Z',
  },
};

export const USAGE_DOCS: ResourceOptions = {
  tag: { name: 'Keys', description: 'The key that a request comes with.', guide: 'limits' },
  schemas: {
    Usage: objectOf('The key that the request came with, and how it was used.', {
      ...KEY,
      limits: { $ref: '#/components/schemas/UsageLimits' } as SchemaObject,
      days: {
        type: 'array',
        maxItems: HISTORY_DAYS,
        description: `Those of the last ${HISTORY_DAYS} days, today included, on which the key was used, newest first.`,
        items: { $ref: '#/components/schemas/UsageDay' },
      },
    }),
    UsageDay: objectOf('One day, from midnight to midnight in UTC.', DAY),
    UsageLimits: objectOf('How many requests the key may send, over all operations together.', LIMITS),
  },
};

export const USAGE_OPERATIONS = defineOperations({
  getUsage: {
    summary: 'See how the key is used',
    description:
      'Returns the plan, the scopes and the end of the key that the request comes with, and its requests of the last 30 days, at most five seconds behind. What is left of the limits at this moment stands in the header fields of the response.',
    since: '1.0.0',
    scope: ANY_SECRET_KEY,
    isConditional: true,
    success: ok('The key and its use.', 'Usage', {
      ...exampleOf(KEY),
      limits: EXAMPLE_LIMITS,
      days: [exampleOf(DAY), { date: '2026-11-20', requests: 1_012, refused: 12 }],
    }),
  },
});
