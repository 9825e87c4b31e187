import { EVENT_RESOURCES, EVENT_SCOPES, EVENT_TYPES, type EventResource } from '@petstore/event-feed';
import { listOf, stringEnum } from '@petstore/pet-domain';

/** What goes to one endpoint when its owner asks for a test; never in the feed, and not to be asked for. */
export const TEST_EVENT_TYPE = 'webhook.test';

/** Most types or patterns of one endpoint. */
const MAX = 20;
/** With the patterns for all types of one resource, such as `pet.*`: those that are added later, too. */
const ALL: readonly string[] = [...EVENT_TYPES, ...EVENT_RESOURCES.map((resource) => `${resource}.*`)];

/** The scope that a key needs to receive events of a type or pattern. */
function neededScope(type: string): string {
  return EVENT_SCOPES[type.slice(0, type.indexOf('.')) as EventResource].needed;
}

/** The types that an endpoint may ask for, as far as the scopes of its key allow them. */
export const WebhookTypes = {
  ...listOf(stringEnum(...ALL), { most: MAX, description: `a list of 1 to ${MAX} of ${ALL.join(', ')}` }),
  /** Every type and pattern that may be asked for. */
  ALL,
  /** The first of `types` that a key with these scopes may not receive; `undefined` when there is none. */
  firstForbidden(types: readonly string[], scopes: ReadonlySet<string>): string | undefined {
    return types.find((type) => !scopes.has(neededScope(type)));
  },
  neededScope,
} as const;
