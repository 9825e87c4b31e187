/** What events can be about. The list grows with the service. */
export const EVENT_RESOURCES = ['pet', 'category', 'order'] as const;

export type EventResource = (typeof EVENT_RESOURCES)[number];

/** The members of an event as readers get it, in the order of its JSON. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  /** When it happened, by the clock of the database (RFC 3339, UTC, milliseconds). */
  readonly timestamp: string;
  readonly data: string;
}
