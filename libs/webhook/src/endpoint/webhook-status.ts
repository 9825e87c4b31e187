/** Whether events are delivered to an endpoint. */
const ALL = ['enabled', 'disabled'] as const;

export type WebhookStatus = (typeof ALL)[number];

/** Why the service itself disabled an endpoint: every attempt failed for days, or it responded 410. */
export type DisabledReason = 'failing' | 'gone';

const known: ReadonlySet<string> = new Set(ALL);

export const WebhookStatus = {
  ALL,
  /** The status that `text` names, letter for letter, or `undefined`. */
  parse(text: string): WebhookStatus | undefined {
    return known.has(text) ? (text as WebhookStatus) : undefined;
  },
} as const;
