import { defineErrors, type SchemaObject } from '@petstore/http-server';
import { EVENT_TYPES, type UpdatedResource } from '@petstore/event-feed';
import { ORDER_FIELDS } from '@petstore/order-domain';
import {
  CATEGORY_FIELDS,
  type EventMember,
  NEW_PET_FIELDS,
  PageLimit,
  PET_FIELDS,
  type Value,
} from '@petstore/pet-domain';
import { PROFILE_EXAMPLE } from '../pets/profile.dto.js';
import { CONTRACT_HEADERS } from '../operations/responses.js';
import { defineOperations, ok, type ResourceOptions } from '../operations/operation.js';
import {
  arrayOf,
  EVENT_TYPE_SCHEMA,
  exampleOf,
  INSTANT_SCHEMA,
  INT64_SCHEMA,
  responseSchema,
} from '../operations/members.js';

/** True over HTTP and in tools, whose arguments differ. */
export const READ_ANEW = 'Fetch everything again, then follow from the latest position.';

export const EVENT_ERRORS = defineErrors({
  position_gone: {
    status: 410,
    message: `The feed does not reach back to this position. ${READ_ANEW}`,
    when: 'Events behind the position are no longer kept, or the position was never given out.',
  },
});

/** The old values of what an update has changed. @param members of the resource */
function previous(
  description: string,
  members: Readonly<Record<string, Value<unknown>>>,
  required?: string[],
): SchemaObject {
  const properties: Record<string, SchemaObject> = {};
  for (const [name, member] of Object.entries(members)) {
    // Meaning and example are those of the value that there is now.
    const { title: _title, description: _meaning, example: _example, ...schema } = member.schema;
    properties[name] = responseSchema({ ...member, schema });
  }
  return { type: 'object', description, ...(required && { required }), properties };
}

/** By the resource that an update is about. */
export const PREVIOUS: Readonly<Record<UpdatedResource, SchemaObject>> = {
  pet: previous('The old values of the members that were changed, and no others.', NEW_PET_FIELDS),
  category: previous('The old name.', { name: CATEGORY_FIELDS.name }, ['name']),
};

/** Every type that there is today, for people. */
const TYPES = EVENT_TYPES.toSorted()
  .map((type) => `\`${type}\``)
  .join(', ');

/** A member of the data of events: its schema in the document, and what it is. */
interface DocumentedMember {
  readonly schema: string;
  readonly description: string;
  readonly example: object;
}

/** What events have beside old values. */
export const EVENT_MEMBERS: Readonly<Record<Exclude<EventMember, 'previous'>, DocumentedMember>> = {
  pet: {
    schema: 'Pet',
    description: 'The full animal after the change; of `pet.deleted` its last state.',
    example: exampleOf(PET_FIELDS, { status: 'pending' }),
  },
  category: {
    schema: 'Category',
    description: 'The category after the change; of `category.deleted` its last state.',
    example: exampleOf(CATEGORY_FIELDS),
  },
  order: {
    schema: 'Order',
    description: 'The order after the change.',
    example: exampleOf(ORDER_FIELDS),
  },
  profile: {
    schema: 'PetProfile',
    description: 'Of `pet.profile_updated`: the whole profile, `{}` when it was emptied.',
    example: PROFILE_EXAMPLE,
  },
};

/** By name: what the data of events can have. */
function dataSchemas(): Readonly<Record<string, SchemaObject>> {
  const { profile, ...resources } = Object.fromEntries(
    Object.entries(EVENT_MEMBERS).map(([name, { schema, description }]) => [
      name,
      { allOf: [{ $ref: `#/components/schemas/${schema}` }], description },
    ]),
  );
  const old = { ...PREVIOUS.category.properties, ...PREVIOUS.pet.properties };
  return { ...resources, previous: { ...PREVIOUS.pet, properties: old }, ...(profile && { profile }) };
}

/** Not a union of all types: readers must be able to live with types that are added later. */
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
      description: `What has happened: ${TYPES}.`,
      example: 'pet.updated',
    },
    timestamp: { ...INSTANT_SCHEMA, description: 'When it happened, in UTC, with milliseconds.' },
    data: { type: 'object', properties: dataSchemas() },
  },
};

export const EVENTS: ResourceOptions = {
  tag: { name: 'Events', description: 'The feed of all changes, oldest first.', guide: 'copies' },
  schemas: {
    Event: EVENT,
    Events: arrayOf('Event', PageLimit.MAX, 'A page of the feed, oldest first; may be empty.'),
  },
};

const timestamp = '2026-11-21T19:12:07.123Z';

const PLACED_AND_PENDING = [
  {
    id: 1041,
    type: 'order.placed',
    timestamp,
    data: { order: exampleOf(ORDER_FIELDS, { expiresAt: '2026-11-24T19:12:07.123Z' }) },
  },
  {
    id: 1042,
    type: 'pet.updated',
    timestamp,
    data: { pet: exampleOf(PET_FIELDS, { status: 'pending' }), previous: { status: 'available' } },
  },
];

export const EVENT_OPERATIONS = defineOperations({
  listEvents: {
    summary: 'Follow the feed of changes',
    description:
      'Returns events, oldest first. Events about orders need the scope `orders:read`, and are those of orders that were placed with the same key, or of all with `orders:manage`. Every response carries a `Link` header with `rel="next"`, also an empty one: follow it, after a pause if there were fewer events than `limit`. Whoever has read up to a position has missed nothing before it.',
    since: '1.0.0',
    scope: 'pets:read',
    isConditional: true,
    success: {
      ...ok('A page of the feed, which may be empty.', 'Events', PLACED_AND_PENDING),
      headers: [CONTRACT_HEADERS.Link],
    },
    errors: [EVENT_ERRORS.position_gone],
  },
});
