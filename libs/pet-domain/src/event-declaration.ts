/** A member of the data of an event: a resource after the change, or what the change says beside it. */
export type EventMember = 'pet' | 'profile' | 'category' | 'order' | 'previous';

/**
 * The events of a resource: under each type the members of its data, in their order. `previous` has the old values of what
 * was changed. Registered in `EVENTS` of `libs/event-feed`, from which the document, webhooks and the check of what is
 * emitted follow.
 */
export type EventDeclarations = Readonly<Record<string, readonly EventMember[]>>;
