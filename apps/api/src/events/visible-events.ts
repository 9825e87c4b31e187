import { ApiKeyRefusedError, type Caller } from '@petstore/api-key';
import { EVENT_SCOPES, type EventResource, type EventVisibility, visibleEvents } from '@petstore/event-feed';
import { PETSTORE_SCOPES } from '../access/petstore-scopes.js';
import { REALM } from '../access/realm.js';

/**
 * The events that a caller sees.
 *
 * @param resource the only one that it asks for
 * @throws {ApiKeyRefusedError} when it asks for a resource that its key may not see at all
 */
export function eventsVisibleTo(caller: Caller, resource?: EventResource): EventVisibility {
  if (resource !== undefined) {
    const needed = PETSTORE_SCOPES.get(EVENT_SCOPES[resource].needed);
    if (!caller.scopes.has(needed)) throw ApiKeyRefusedError.lacking(needed, REALM);
  }
  return visibleEvents(caller, resource);
}
