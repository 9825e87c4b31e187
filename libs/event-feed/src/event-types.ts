import { ORDER_EVENTS } from '@petstore/order-domain';
import { CATEGORY_EVENTS, PET_EVENTS } from '@petstore/pet-domain';

/** Every event of the service (docs/contract.md, "Events"): the declarations of the domains. */
export const EVENTS = { ...PET_EVENTS, ...CATEGORY_EVENTS, ...ORDER_EVENTS } as const;

/** Resource and change, such as `pet.updated`. */
export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** What events can be about. */
export type EventResource = EventType extends `${infer Resource}.${string}` ? Resource : never;

/** What has events with old values. */
export type UpdatedResource = {
  [Type in EventType]: 'previous' extends (typeof EVENTS)[Type][number]
    ? Type extends `${infer Resource}.${string}`
      ? Resource
      : never
    : never;
}[EventType];

/** What an event is about. */
export function resourceOf(type: EventType): EventResource {
  return type.slice(0, type.indexOf('.')) as EventResource;
}
