import type { Order } from './order.js';
import type { OrderStatus } from './order-status.js';
import { type OrderAction, type OrderTransition, targetOf, transitionsFrom } from './order-transitions.js';

/** An action that the state of the order does not allow. */
export class InvalidOrderTransitionError extends Error {
  override readonly name = 'InvalidOrderTransitionError';

  constructor(order: Pick<Order, 'status' | 'isOverdue'>) {
    super(reasonOf(order));
  }
}

/**
 * What an action does to an order as it is now; `undefined` for one that has brought it to its state already: to
 * repeat it is no error.
 *
 * After its time an order can only expire, even if nobody has come to that yet.
 *
 * @throws {InvalidOrderTransitionError}
 */
export function decideOrder(order: Order, action: OrderAction): OrderTransition | undefined {
  if (order.status === targetOf(action)) return undefined;
  const transition = transitionsFrom(order.status).find((each) => each.action === action);
  if (transition === undefined || (order.isOverdue && action !== 'expire'))
    throw new InvalidOrderTransitionError(order);
  return transition;
}

/** For people: what state the order is in, and what is possible from there. */
function reasonOf({ status, isOverdue }: Pick<Order, 'status' | 'isOverdue'>): string {
  if (isOverdue) return 'The time of this order is up: it can only expire.';
  const possible = transitionsFrom(status)
    .filter(({ actors }) => !actors.includes('service'))
    .map(({ to }) => to);
  if (possible.length === 0) return `${article(status)} ${status} order is final.`;
  return `${article(status)} ${status} order can only be ${possible.join(' or ')}.`;
}

function article(status: OrderStatus): string {
  return /^[aeiou]/.test(status) ? 'An' : 'A';
}
