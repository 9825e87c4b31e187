import { isPositiveInt64 } from '@petstore/pet-domain';

declare const brand: unique symbol;

/** Id of a delivery of an event to an endpoint, 1 to 2^63 - 1, as its decimal digits. A later one has a greater one. */
export type DeliveryId = string & { readonly [brand]: 'DeliveryId' };

export const DeliveryId = {
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): DeliveryId | undefined {
    return isPositiveInt64(text) ? (text as DeliveryId) : undefined;
  },
} as const;
