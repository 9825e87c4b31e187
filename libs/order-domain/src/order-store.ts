import type { FreeText, PetId, PetStatus, Transaction } from '@petstore/pet-domain';
import type { NewOrder } from './order.js';
import type { OrderId } from './order-id.js';
import type { OrderStatus } from './order-status.js';
import type { OrderAction } from './order-transitions.js';

/** Whose orders somebody reaches: those of one key, or all. */
export type OrderReach = { readonly keyId: string } | 'all';

/** Which orders to list: newest first. */
export interface OrderPageRequest {
  readonly limit: number;
  readonly reach: OrderReach;
  readonly status?: OrderStatus | undefined;
  readonly petId?: PetId | undefined;
  /** Only orders with a smaller id. */
  readonly before?: OrderId | undefined;
}

/** One page of orders as readers get it: a JSON array in UTF-8. */
export interface OrderPage {
  readonly json: Uint8Array;
  readonly last: OrderId | undefined;
  readonly more: boolean;
}

/** An order as JSON, and its id. */
export interface StoredOrder {
  readonly id: OrderId;
  readonly json: string;
}

/** A key has as many open orders as it may. */
export class OrderLimitReachedError extends Error {
  override readonly name = 'OrderLimitReachedError';
}

/** The animal of a new order is not available. */
export class PetNotAvailableError extends Error {
  override readonly name = 'PetNotAvailableError';

  /** @param status of the animal; `undefined` when there is none */
  constructor(status: PetStatus | undefined) {
    super(status === undefined ? 'No animal has this id.' : `The animal is ${status}.`);
  }
}

/** An action on an order, and who may reach it. */
export interface OrderRequest {
  readonly id: OrderId;
  readonly action: OrderAction;
  readonly reach: OrderReach;
  /** For people; kept with the order. */
  readonly reason?: FreeText | undefined;
}

/**
 * Where orders are kept. The domain owns this port; an adapter implements it. Every change is kept together with that
 * of the animal and their events, the order's first. Every method rejects with `StoreUnavailableError` when the store
 * cannot be reached.
 */
export interface OrderStore {
  list(request: OrderPageRequest): Promise<OrderPage>;
  /** The order as JSON in UTF-8; `undefined` when there is none within reach. */
  find(id: OrderId, reach: OrderReach): Promise<Uint8Array | undefined>;
  /**
   * Places an order: of all that ask for an animal one gets it.
   *
   * @throws {OrderLimitReachedError}
   * @throws {PetNotAvailableError}
   */
  place(order: NewOrder, keyId: string, transaction?: Transaction): Promise<StoredOrder>;
  /**
   * Lets those who want one animal try one after the other, and refuses those without a try who would be in vain: of
   * many all but one cost a look each. {@link place} does so itself, unless it is part of a transaction: then whoever
   * begins that does so within `attempt`.
   *
   * @param isAnswered asked before a refusal: whether the attempt gives an earlier answer again, and is due all the same
   * @throws {OrderLimitReachedError}
   * @throws {PetNotAvailableError}
   */
  contend<T>(
    order: NewOrder,
    keyId: string,
    attempt: () => Promise<T>,
    isAnswered?: () => Promise<boolean>,
  ): Promise<T>;
  /**
   * Carries out an action as `decideOrder` says.
   *
   * @throws {InvalidOrderTransitionError}
   * @returns the order as it is afterwards, as JSON; `undefined` when there is none within reach
   */
  act(request: OrderRequest): Promise<string | undefined>;
  /**
   * Lets orders expire whose time is up.
   *
   * @param most in one transaction
   * @returns how many
   */
  expire(most: number): Promise<number>;
}
