import type { Caller } from '@petstore/api-key';
import type { EventsSeen } from '@petstore/webhook';
import { orderEventsSeenBy } from '../events/order-events.js';
import { PETSTORE_SCOPES } from '@petstore/scopes';

const READ_PETS = PETSTORE_SCOPES.get('pets:read');

/** Which events the scopes of a caller allow it to receive: those that it could read in the feed. */
export function eventsSeenBy(caller: Caller): EventsSeen {
  return { pets: caller.scopes.has(READ_PETS), orders: orderEventsSeenBy(caller, undefined) };
}
