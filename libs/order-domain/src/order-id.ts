import { isPositiveInt64 } from '@petstore/pet-domain';

declare const brand: unique symbol;

/** Id of an order, 1 to 2^63 - 1, as its decimal digits. A later order has a greater one. */
export type OrderId = string & { readonly [brand]: 'OrderId' };

export const OrderId = {
  /** The id that `text` spells in plain decimal digits, or `undefined`. */
  parse(text: string): OrderId | undefined {
    return isPositiveInt64(text) ? (text as OrderId) : undefined;
  },
} as const;
