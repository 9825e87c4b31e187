import { EVENT_RESOURCES, EVENT_SCOPES, type EventResource } from '@petstore/event-feed';

/** Every type of event that endpoints can ask for (docs/contract.md, "Events"). */
export const EVENT_TYPES = [
  ...['pet.created', 'pet.updated', 'pet.deleted'],
  ...['category.created', 'category.updated', 'category.deleted'],
  ...['order.placed', 'order.approved', 'order.delivered', 'order.returned'],
  ...['order.cancelled', 'order.declined', 'order.expired'],
] as const;

/** All types of one resource, such as `pet.*`: those that are added later, too. */
export type EventPattern = `${EventResource}.*`;

const PATTERNS: readonly EventPattern[] = EVENT_RESOURCES.map((resource) => `${resource}.*` as const);

/** What goes to one endpoint when somebody asks for a test; never in the feed, and not to be asked for. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** Why a list of types is not allowed. */
export type WebhookTypesFlaw =
  { readonly kind: 'number' } | { readonly kind: 'unknown'; readonly type: string };

const MAX = 20;
const KNOWN: ReadonlySet<string> = new Set([...EVENT_TYPES, ...PATTERNS]);

/** Whether a key with these scopes may receive any event at all. */
function mayReceive(scopes: ReadonlySet<string>): boolean {
  return scopes.has('webhooks:manage');
}

function isAllowed(type: string, scopes: ReadonlySet<string>): boolean {
  return scopes.has(neededScope(type));
}

/** The scope that a key needs to receive events of a type or pattern. */
function neededScope(type: string): string {
  return EVENT_SCOPES[resourceOf(type)].needed;
}

function resourceOf(type: string): EventResource {
  return type.slice(0, type.indexOf('.')) as EventResource;
}

export const WebhookTypes = {
  /** Most types or patterns of one endpoint. */
  MAX,
  /** Every type and pattern that may be asked for. */
  ALL: [...KNOWN] as readonly string[],
  /** What keeps `types` from being allowed, whatever the key; `undefined` when nothing does. */
  flaw(types: readonly string[]): WebhookTypesFlaw | undefined {
    if (types.length < 1 || types.length > MAX) return { kind: 'number' };
    const type = types.find((text) => !KNOWN.has(text));
    return type === undefined ? undefined : { kind: 'unknown', type };
  },
  /** The first of `types` that a key with these scopes may not receive; `undefined` when there is none. */
  firstForbidden(types: readonly string[], scopes: ReadonlySet<string>): string | undefined {
    return types.find((type) => !isAllowed(type, scopes));
  },
  mayReceive,
  isAllowed,
  neededScope,
  /** Whether an endpoint that has asked for `types` (all when left out) receives an event of this type. */
  matches(types: readonly string[] | undefined, type: string): boolean {
    return types === undefined || types.includes(type) || types.includes(`${resourceOf(type)}.*`);
  },
} as const;
