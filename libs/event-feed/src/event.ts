/** What events can be about. The list grows with the service. */
export const EVENT_RESOURCES = ['pet'] as const;

export type EventResource = (typeof EVENT_RESOURCES)[number];

/** Something that has happened, as it is written down in the transaction in which it happens. */
export interface NewEvent {
  /** `<resource>.<what happened>`, such as `pet.created`. */
  readonly type: `${EventResource}.${string}`;
  readonly resource: EventResource;
  /** JSON text of the member `data`. */
  readonly data: string;
}

/** The members of an event as readers get it, in the order of its JSON. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  /** When it happened, by the clock of the database (RFC 3339, UTC, milliseconds). */
  readonly timestamp: string;
  readonly data: string;
}
