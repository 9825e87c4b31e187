/** A member of the data of an event: a resource after the change, or what the change says beside it. */
export type EventMember = 'pet' | 'profile' | 'category' | 'order' | 'previous';

/**
 * The events of a resource: under each type the members of its data, in their order. `previous` has the old values of what
 * was changed. Registered in `EVENTS` of `libs/event-feed`, from which the document, webhooks and the check of what is
 * emitted follow.
 */
export type EventDeclarations = Readonly<Record<string, readonly EventMember[]>>;

/** An event that has no position yet. */
export interface DomainEvent<Type extends string> {
  readonly type: Type;
  /** The member `data` of the event as JSON text. */
  readonly data: string;
}

/** @param members of its data as JSON text, in their order */
export function eventOf<Type extends string>(
  type: Type,
  members: Readonly<Partial<Record<EventMember, string>>>,
): DomainEvent<Type> {
  const written = Object.entries(members).map(([name, json]) => `"${name}":${json}`);
  return { type, data: `{${written.join(',')}}` };
}
