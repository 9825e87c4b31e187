/** State of a delivery. `dropped`: the key of the endpoint may no longer receive the event. */
const ALL = ['pending', 'delivered', 'failed', 'dropped'] as const;

export type DeliveryStatus = (typeof ALL)[number];

const known: ReadonlySet<string> = new Set(ALL);

export const DeliveryStatus = {
  ALL,
  /** The state that `text` names, letter for letter, or `undefined`. */
  parse(text: string): DeliveryStatus | undefined {
    return known.has(text) ? (text as DeliveryStatus) : undefined;
  },
} as const;
