import { HTTP_ERRORS, HTTP_HEADERS, type SchemaObject } from '@petstore/http-kernel';
import { OrderStatus } from '@petstore/order-domain';
import { PageLimit } from '@petstore/pet-domain';
import type { Resource } from '../operations/contract-controller.decorator.js';
import { INSTANT_SCHEMA } from '../operations/instant.schema.js';
import { INT64_SCHEMA } from '../operations/int64.schema.js';
import type { OperationDeclaration } from '../operations/operation.js';
import { EVENT_ERRORS } from './event.errors.js';
import { EVENT_TYPE_SCHEMA } from './event-type.schema.js';
import { PREVIOUS_PET } from './previous.schema.js';

/** Where the feed is, below the base of the API. */
export const EVENTS_PATH = '/events';

/** Every type that there is today, for people. */
const EVENT_TYPES = [
  ...['created', 'updated', 'deleted'].flatMap((what) => [`pet.${what}`, `category.${what}`]),
  ...OrderStatus.ALL.map((status) => `order.${status}`),
]
  .sort()
  .map((type) => `\`${type}\``)
  .join(', ');

/** Not a union of all types: those who read it must live with types that are added later. */
const EVENT: SchemaObject = {
  type: 'object',
  description: 'One change. Types and members are added over time: ignore those that you do not know.',
  required: ['id', 'type', 'timestamp', 'data'],
  properties: {
    id: {
      ...INT64_SCHEMA,
      description: 'Position in the feed. A later event has a greater one.',
      example: 1042,
    },
    type: {
      ...EVENT_TYPE_SCHEMA,
      description: `What has happened: ${EVENT_TYPES}.`,
      example: 'pet.updated',
    },
    timestamp: { ...INSTANT_SCHEMA, description: 'When it happened, in UTC, with milliseconds.' },
    data: {
      type: 'object',
      properties: {
        pet: {
          allOf: [{ $ref: '#/components/schemas/Pet' }],
          description: 'The full animal after the change; of `pet.deleted` its last state.',
        },
        category: {
          allOf: [{ $ref: '#/components/schemas/Category' }],
          description: 'The category after the change; of `category.deleted` its last state.',
        },
        order: {
          allOf: [{ $ref: '#/components/schemas/Order' }],
          description: 'The order after the change.',
        },
        previous: PREVIOUS_PET,
      },
    },
  },
};

/** A named array: decorators can only make nameless ones. */
const EVENTS: SchemaObject = {
  type: 'array',
  maxItems: PageLimit.MAX,
  items: { $ref: '#/components/schemas/Event' },
  description: 'A page of the feed, oldest first; may be empty.',
};

export const EVENTS_RESOURCE: Resource = {
  tag: { name: 'Events', description: 'The feed of all changes, oldest first.' },
  schemas: { Event: EVENT, Events: EVENTS },
};

/** docs/contract.md, "Events". */
export const LIST_EVENTS: OperationDeclaration = {
  id: 'listEvents',
  method: 'GET',
  path: EVENTS_PATH,
  summary: 'Follow the feed of changes',
  description:
    'Returns events, oldest first. Events about orders need the scope `orders:read`, and are those of orders that were placed with the same key, or of all with `orders:manage`. Every response carries a `Link` header with `rel="next"`, also an empty one: follow it, after a pause if there were fewer events than `limit`. Whoever has read up to a position has missed nothing before it.',
  since: '1.1.0',
  scope: 'pets:read',
  success: {
    status: 200,
    description: 'A page of the feed, which may be empty.',
    schema: 'Events',
    headers: [HTTP_HEADERS.Link],
    example: [
      {
        id: 1041,
        type: 'order.placed',
        timestamp: '2026-11-21T19:12:07.123Z',
        data: {
          order: {
            id: 91,
            petId: 42,
            status: 'placed',
            placedBy: 'key_Wz6Oq1rXc8TqLd0A',
            placedAt: '2026-11-21T19:12:07.123Z',
            updatedAt: '2026-11-21T19:12:07.123Z',
            expiresAt: '2026-11-24T19:12:07.123Z',
          },
        },
      },
      {
        id: 1042,
        type: 'pet.updated',
        timestamp: '2026-11-21T19:12:07.123Z',
        data: {
          pet: { id: 42, name: 'Rex', categoryId: 7, status: 'pending' },
          previous: { status: 'available' },
        },
      },
    ],
  },
  isConditional: true,
  errors: [HTTP_ERRORS.invalid_parameter, HTTP_ERRORS.bad_request, EVENT_ERRORS.position_gone],
};
