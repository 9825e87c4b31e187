import type { EventResource } from './event-types.js';

/** Which scopes let a key see the events of a resource. */
export interface EventScopes {
  /** Needed to see any of them. */
  readonly needed: string;
  /** Needed besides to see those of other keys; without one events of the resource belong to everyone. */
  readonly othersToo?: string;
}

/**
 * The one table of who may see an event: the feed, the queue of webhooks and the check of their types follow it, and SQL
 * is made from it.
 */
export const EVENT_SCOPES: Readonly<Record<EventResource, EventScopes>> = {
  pet: { needed: 'pets:read' },
  category: { needed: 'pets:read' },
  order: { needed: 'orders:read', othersToo: 'orders:manage' },
};

/** What events can be about, in the order of the table. */
export const EVENT_RESOURCES = Object.keys(EVENT_SCOPES) as readonly EventResource[];

/** The events that one reader sees. */
export interface EventVisibility {
  /** All events of these resources. */
  readonly resources: readonly EventResource[];
  /** Besides, the events whose audience is this key. */
  readonly audience?: string | undefined;
}

/**
 * The events that a key sees.
 *
 * @param resource only those of this resource
 */
export function visibleEvents(
  { keyId, scopes }: { readonly keyId: string; readonly scopes: ReadonlySet<string> },
  resource?: EventResource,
): EventVisibility {
  const asked = EVENT_RESOURCES.filter((one) => resource === undefined || one === resource);
  const seen = asked.filter((one) => scopes.has(EVENT_SCOPES[one].needed));
  const isOwnOnly = (one: EventResource): boolean => {
    const { othersToo } = EVENT_SCOPES[one];
    return othersToo !== undefined && !scopes.has(othersToo);
  };
  return {
    resources: seen.filter((one) => !isOwnOnly(one)),
    ...(seen.some(isOwnOnly) && { audience: keyId }),
  };
}
