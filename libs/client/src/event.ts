import type { NewWebhook, PetStoreEvent } from './resources.js';

/** A type, or all types of one resource, also those that are added later. */
export type EventPattern = NonNullable<NewWebhook['types']>[number];

/** Every type of event that this version of the client knows. */
export type EventType = Exclude<EventPattern, `${string}.*`>;

/** An event of these types, with what it has for certain. */
export type EventOf<Pattern extends EventPattern> = Pattern extends `${infer Resource}.${string}`
  ? PetStoreEvent & { readonly type: TypeOf<Pattern>; readonly data: DataOf<Resource | MoreOf<Pattern>> }
  : never;

type TypeOf<Pattern extends EventPattern> = Pattern extends `${infer Resource}.*`
  ? `${Resource}.${string}`
  : Pattern;

/** What events of a type have beside their resource. */
type MoreOf<Pattern extends EventPattern> = Pattern extends 'pet.profile_updated' ? 'profile' : never;

/** `{ pet: Pet }` for `pet`. */
type DataOf<Resource extends string> = Readonly<
  Required<Pick<PetStoreEvent['data'], Resource & keyof PetStoreEvent['data']>>
>;

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
