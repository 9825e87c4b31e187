import { isPositiveInt64 } from '@petstore/pet-domain';

declare const brand: unique symbol;

/** Id of a webhook endpoint, 1 to 2^63 - 1, as its decimal digits. A later one has a greater one. */
export type WebhookId = string & { readonly [brand]: 'WebhookId' };

export const WebhookId = {
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): WebhookId | undefined {
    return isPositiveInt64(text) ? (text as WebhookId) : undefined;
  },
} as const;
