import type { Category } from './category.js';
import type { PetStoreEvent } from './event.js';
import type { Order, OrderStatus } from './order.js';
import type { Pet } from './pet.js';

type Change = 'created' | 'updated' | 'deleted';

/** Every type of event that this version of the client knows. */
export type EventType = `pet.${Change}` | `category.${Change}` | `order.${OrderStatus}`;

/** A type, or all types of one resource, also those that are added later. */
export type EventPattern = EventType | `${EventResource}.*`;

type EventResource = 'pet' | 'category' | 'order';

/** An event of these types, with what it has for certain. */
export type EventOf<Pattern extends EventPattern> = Pattern extends unknown
  ? PetStoreEvent & { readonly type: TypeOf<Pattern>; readonly data: DataOf<Pattern> }
  : never;

type TypeOf<Pattern extends EventPattern> = Pattern extends `${infer Resource}.*`
  ? `${Resource}.${string}`
  : Pattern;

type DataOf<Pattern extends EventPattern> = Pattern extends `pet.${string}`
  ? { readonly pet: Pet }
  : Pattern extends `category.${string}`
    ? { readonly category: Category }
    : { readonly order: Order };

/**
 * Whether an event has one of these types: `isEvent(event, 'order.placed')`, `isEvent(event, 'pet.*')`. The compiler then
 * knows what it is about.
 */
export function isEvent<Pattern extends EventPattern>(
  event: PetStoreEvent,
  ...patterns: readonly Pattern[]
): event is EventOf<Pattern> {
  const [resource = ''] = event.type.split('.', 1);
  // A type that is added later might be about something else than its name says.
  if (!(resource in event.data)) return false;
  return (patterns as readonly string[]).some((each) => each === event.type || each === `${resource}.*`);
}
