/** What an operator says about orders. */
export interface OrderRules {
  /** Most orders of one key that are placed or approved. */
  readonly mostOpen: number;
  /** Hours until an order that is placed expires. */
  readonly holdHours: number;
  /** Hours until an order that is approved expires. */
  readonly pickupHours: number;
}

/** Injection token of {@link OrderRules}. */
export const ORDER_RULES = Symbol('OrderRules');
