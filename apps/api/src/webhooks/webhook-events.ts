import {
  EVENT_TYPES,
  EVENTS,
  type EventResource,
  type EventType,
  resourceOf,
  type UpdatedResource,
} from '@petstore/event-feed';
import { JSON_MEDIA_TYPE, type SchemaObject } from '@petstore/http-server';
import type { EventMember } from '@petstore/pet-domain';
import { TEST_EVENT_TYPE } from '@petstore/webhook';
import { PREVIOUS } from '../events/events.docs.js';
import { PROFILE_EXAMPLE } from '../profiles/profile.dto.js';
import { EVENT_TYPE_SCHEMA, INSTANT_SCHEMA, INT64_SCHEMA } from '../operations/members.js';

/** Header fields of every delivery (Standard Webhooks 1.0.0). */
const HEADERS = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'Names the event: the same for all attempts. Whoever has handled it already ignores it and responds with 2xx.',
    schema: { type: 'string', maxLength: 64, pattern: '^evt_(test_)?[1-9][0-9]*$' },
    example: 'evt_1042',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in Unix seconds. Refuse what is older than a few minutes.',
    schema: { type: 'string', maxLength: 20, pattern: '^[0-9]+$' },
    example: '1795288327',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the body, under the 32 bytes of a secret. One that matches is enough.',
    schema: { type: 'string', maxLength: 256, pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

const RESPONSES = {
  '2XX': { description: 'The event was received. Respond within 15 seconds, and work on it afterwards.' },
  '410': { description: 'The endpoint is gone: the webhook is disabled at once.' },
  default: {
    description: 'Anything else, redirections included, is a failure: there are ten attempts in 76 hours.',
  },
};

/** What the data of an event is about: the name of its schema, and an example. */
interface Subject {
  readonly schema: string;
  readonly example: object;
}

const SUBJECTS: Readonly<Record<EventResource, Subject>> = {
  pet: { schema: 'Pet', example: { id: 42, name: 'Rex', categoryId: 7, status: 'pending' } },
  category: { schema: 'Category', example: { id: 7, name: 'Dogs' } },
  order: {
    schema: 'Order',
    example: {
      id: 91,
      petId: 42,
      status: 'placed',
      placedBy: 'key_Wz6Oq1rXc8TqLd0A',
      placedAt: '2026-11-21T19:12:07.123Z',
      updatedAt: '2026-11-21T19:12:07.123Z',
    },
  },
};

/** Examples of the old values of an update. */
const PREVIOUS_EXAMPLES: Readonly<Record<UpdatedResource, object>> = {
  pet: { status: 'available' },
  category: { name: 'Hounds' },
};

const WEBHOOK_REFERENCE: SchemaObject = {
  type: 'object',
  required: ['id'],
  properties: { id: INT64_SCHEMA },
};

/** What the service sends, by the type of the event (OpenAPI 3.1, "webhooks"): receivers can be generated from it. */
export const WEBHOOK_EVENTS: Readonly<Record<string, object>> = Object.fromEntries([
  ...EVENT_TYPES.map((type) => [type, pathItemOf(type, dataOf(type))] as const),
  [
    TEST_EVENT_TYPE,
    pathItemOf(TEST_EVENT_TYPE, {
      properties: { webhook: WEBHOOK_REFERENCE },
      example: { webhook: { id: 3 } },
    }),
  ],
]);

/** Members of the data of an event, all of them required. */
interface EventData {
  readonly properties: Readonly<Record<string, SchemaObject | { readonly $ref: string }>>;
  readonly example: object;
}

/** The members that the domain declares, with their schemas and examples. */
function dataOf(type: EventType): EventData {
  const resource = resourceOf(type);
  const members: readonly EventMember[] = EVENTS[type];
  const documented = members.map((member) => [member, ...memberOf(member, resource, type)] as const);
  return {
    properties: Object.fromEntries(documented.map(([member, schema]) => [member, schema])),
    example: Object.fromEntries(documented.map(([member, , example]) => [member, example])),
  };
}

function memberOf(
  member: EventMember,
  resource: EventResource,
  type: EventType,
): readonly [SchemaObject | { readonly $ref: string }, object] {
  switch (member) {
    case 'previous':
      return [PREVIOUS[resource as UpdatedResource], PREVIOUS_EXAMPLES[resource as UpdatedResource]];
    case 'profile':
      return [{ $ref: '#/components/schemas/PetProfile' }, PROFILE_EXAMPLE];
    default: {
      const { schema, example } = SUBJECTS[member];
      const status = type.slice(type.indexOf('.') + 1);
      return [
        { $ref: `#/components/schemas/${schema}` },
        member === 'order' ? { ...example, status } : example,
      ];
    }
  }
}

function schemaOf(type: string, { properties }: EventData): SchemaObject {
  return {
    type: 'object',
    description: 'Members are added over time: ignore those that you do not know.',
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: { ...INT64_SCHEMA, description: 'Position in the feed; of a test the id of its delivery.' },
      type: { ...EVENT_TYPE_SCHEMA, enum: [type] },
      timestamp: { ...INSTANT_SCHEMA, description: 'When it happened, in UTC.' },
      data: { type: 'object', required: Object.keys(properties), properties },
    },
  };
}

function pathItemOf(type: string, data: EventData): object {
  const value = { id: 1042, type, timestamp: '2026-11-21T19:12:07.123Z', data: data.example };
  const examples = { [type]: { summary: type, value } };
  return {
    post: {
      operationId: operationIdOf(type),
      tags: ['Webhooks'],
      summary: `Event ${type}`,
      description:
        'Verify the signature before anything else. The order of deliveries is not promised, and an event may come twice.',
      // The receiver needs no key: the signature identifies the sender.
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        description: 'The event, byte for byte as it is in the feed.',
        content: { [JSON_MEDIA_TYPE]: { schema: schemaOf(type, data), examples } },
      },
      responses: RESPONSES,
      'x-since': '1.1.0',
    },
  };
}

/** `pet.profile_updated` is `onPetProfileUpdated`. */
function operationIdOf(type: string): string {
  return `on${type.replaceAll(/(?:^|[._])[a-z]/g, (start) => start.slice(-1).toUpperCase())}`;
}
