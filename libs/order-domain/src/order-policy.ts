/**
 * The time limits of an open order: `reservation` from placing to the approval, `pickup` from the approval to the
 * delivery.
 */
export type OrderTimeLimit = 'reservation' | 'pickup';

const HOUR_MS = 3_600_000;

/** What an operator decides about orders. */
export class OrderPolicy {
  constructor(
    /** Hours until an order expires. */
    private readonly hours: Readonly<Record<OrderTimeLimit, number>>,
    /** Most orders of one key that are open. */
    readonly maxOpenPerKey: number,
  ) {}

  /** When a time limit ends that begins now. */
  expiry(limit: OrderTimeLimit | undefined, now: Date): Date | undefined {
    return limit && new Date(now.getTime() + this.hours[limit] * HOUR_MS);
  }
}
