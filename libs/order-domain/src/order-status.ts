/** Every status of an order, in the order of its life. */
const ALL = ['placed', 'approved', 'delivered', 'returned', 'cancelled', 'declined', 'expired'] as const;

/** Status of an adoption order. */
export type OrderStatus = (typeof ALL)[number];

const known: ReadonlySet<string> = new Set(ALL);

export const OrderStatus = {
  ALL,
  /** The status that `text` names, letter for letter, or `undefined`. */
  parse(text: string): OrderStatus | undefined {
    return known.has(text) ? (text as OrderStatus) : undefined;
  },
} as const;
