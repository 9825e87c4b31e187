import type { PetStatus } from '@petstore/pet-domain';
import { type OrderStatus, transitionsFrom } from './order-transitions.js';

/** A key has as many open orders as it may. */
export class OrderLimitReachedError extends Error {
  override readonly name = 'OrderLimitReachedError';

  constructor(maxOpenPerKey: number) {
    super(`A key may have ${maxOpenPerKey} open orders. Wait until one of them ends.`);
  }
}

/** The animal of a new order is not available. */
export class PetNotAvailableError extends Error {
  override readonly name = 'PetNotAvailableError';

  /** @param status of the animal; `undefined` when there is none */
  constructor(status: PetStatus | undefined) {
    super(status === undefined ? 'No animal has this id.' : `The animal is ${status}.`);
  }
}

/** An action that the status of the order does not allow. */
export class InvalidOrderTransitionError extends Error {
  override readonly name = 'InvalidOrderTransitionError';

  /** @param isOverdue whether the time of the order is up */
  constructor(status: OrderStatus, isOverdue: boolean) {
    super(isOverdue ? 'The time of this order is up: it can only expire.' : possibilities(status));
  }
}

/** What is possible from a status, for people. */
function possibilities(status: OrderStatus): string {
  const possible = transitionsFrom(status)
    .filter(({ actors }) => !actors.includes('service'))
    .map(({ to }) => to);
  const order = `${/^[aeiou]/.test(status) ? 'An' : 'A'} ${status} order`;
  return possible.length === 0 ? `${order} is final.` : `${order} can only be ${possible.join(' or ')}.`;
}
