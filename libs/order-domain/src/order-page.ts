import type { PetId } from '@petstore/pet-domain';
import type { OrderId } from './order-id.js';
import type { OrderStatus } from './order-status.js';
import type { OrderVisibility } from './order-visibility.js';

/** Which orders to list: newest first. */
export interface OrderPageRequest {
  readonly limit: number;
  readonly visibility: OrderVisibility;
  readonly status?: OrderStatus | undefined;
  readonly petId?: PetId | undefined;
  /** Only orders with a smaller id. */
  readonly before?: OrderId | undefined;
}

/** One page of orders. */
export interface OrderPage {
  /** A JSON array. */
  readonly json: string;
  /** The last order of the page; `undefined` when the page is empty. */
  readonly last: OrderId | undefined;
  /** Whether older orders follow. */
  readonly more: boolean;
}
