import { EVENT_TYPES, EVENTS, type EventType, resourceOf, type UpdatedResource } from '@petstore/event-feed';
import { JSON_MEDIA_TYPE, type SchemaObject } from '@petstore/http-server';
import type { EventMember } from '@petstore/pet-domain';
import { ATTEMPTS_HOURS, MAX_ATTEMPTS, TEST_EVENT_TYPE, TOTAL_TIMEOUT_MS } from '@petstore/webhook';
import { EVENT_MEMBERS, PREVIOUS } from '../events/events.docs.js';
import { EVENT_TYPE_SCHEMA, INSTANT_SCHEMA, INT64_SCHEMA } from '../operations/members.js';

const header = (name: string, description: string, schema: object, example: string): object => ({
  ...{ name, in: 'header', required: true, description },
  ...{ schema: { type: 'string', ...schema }, example },
});

/** Header fields of every delivery (Standard Webhooks 1.0.0). */
const HEADERS = [
  header(
    'webhook-id',
    'Names the event: the same for all attempts. Whoever has handled it already ignores it and responds with 2xx.',
    { maxLength: 64, pattern: '^evt_(test_)?[1-9][0-9]*$' },
    'evt_1042',
  ),
  header(
    'webhook-timestamp',
    'When this attempt was made, in Unix seconds. Refuse what is older than a few minutes.',
    { maxLength: 20, pattern: '^[0-9]+$' },
    '1795288327',
  ),
  header(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, a dot, `webhook-timestamp`, a dot and the body, under the 32 bytes of a secret. One that matches is enough.',
    { maxLength: 256, pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': {
    description: `The event was received. Respond within ${TOTAL_TIMEOUT_MS / 1_000} seconds, and work on it afterwards.`,
  },
  '410': { description: 'The endpoint is gone: the webhook is disabled at once.' },
  default: {
    description: `Anything else, redirections included, is a failure: there are ${MAX_ATTEMPTS} attempts in ${ATTEMPTS_HOURS} hours.`,
  },
};

/** Schema and example of a member of the data of an event. */
type Member = readonly [SchemaObject | { readonly $ref: string }, object];

const PREVIOUS_MEMBERS: Readonly<Record<UpdatedResource, Member>> = {
  pet: [PREVIOUS.pet, { status: 'available' }],
  category: [PREVIOUS.category, { name: 'Hounds' }],
};

/** Members of the data of an event, all of them required. */
type EventData = Readonly<Record<string, Member>>;

/** The members that the domain declares. */
function dataOf(type: EventType): EventData {
  const resource = resourceOf(type);
  const members = (EVENTS[type] as readonly EventMember[]).map((member): readonly [EventMember, Member] => {
    if (member === 'previous') return [member, PREVIOUS_MEMBERS[resource as UpdatedResource]];
    const { schema, example } = EVENT_MEMBERS[member];
    const status = type.slice(resource.length + 1);
    const shown = member === 'order' ? { ...example, status } : example;
    return [member, [{ $ref: `#/components/schemas/${schema}` }, shown]];
  });
  return Object.fromEntries(members);
}

/** What the service sends, by the type of the event (OpenAPI 3.1, "webhooks"): receivers can be generated from it. */
export const WEBHOOK_EVENTS: Readonly<Record<string, object>> = Object.fromEntries([
  ...EVENT_TYPES.map((type) => [type, pathItemOf(type, dataOf(type))] as const),
  [
    TEST_EVENT_TYPE,
    pathItemOf(TEST_EVENT_TYPE, {
      webhook: [{ type: 'object', required: ['id'], properties: { id: INT64_SCHEMA } }, { id: 3 }],
    }),
  ],
]);

function schemaOf(type: string, data: EventData): SchemaObject {
  return {
    type: 'object',
    description: 'Members are added over time: ignore those that you do not know.',
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: { ...INT64_SCHEMA, description: 'Position in the feed; of a test the id of its delivery.' },
      type: { ...EVENT_TYPE_SCHEMA, enum: [type] },
      timestamp: { ...INSTANT_SCHEMA, description: 'When it happened, in UTC.' },
      data: {
        type: 'object',
        required: Object.keys(data),
        properties: Object.fromEntries(Object.entries(data).map(([name, [schema]]) => [name, schema])),
      },
    },
  };
}

function pathItemOf(type: string, data: EventData): object {
  const example = Object.fromEntries(Object.entries(data).map(([name, [, shown]]) => [name, shown]));
  const value = { id: 1042, type, timestamp: '2026-11-21T19:12:07.123Z', data: example };
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
      'x-since': '1.0.0',
    },
  };
}

/** `pet.profile_updated` is `onPetProfileUpdated`. */
function operationIdOf(type: string): string {
  return `on${type.replaceAll(/(?:^|[._])[a-z]/g, (start) => start.slice(-1).toUpperCase())}`;
}
