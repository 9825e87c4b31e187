import { type CallOptions, creationOf, type CreateOptions, type ReasonOptions } from './client-options.js';
import { toInt64 } from './json.js';
import { LARGEST_PAGE, pagesOf } from './pagination.js';
import type { ListOrders, NewOrder, Order, OrderPage } from './resources.js';
import type { Transport } from './transport.js';

const PATH = '/store/orders';

/** What can be done with an order, as the paths have it. */
type OrderAction = 'approve' | 'cancel' | 'decline' | 'deliver' | 'return';

/**
 * Adoption orders (`docs/contract.md`, "Orders"): those that were placed with the same key, with `orders:manage` all.
 * Every method that takes an id throws a RangeError for one that is a number and not exact.
 *
 * Actions are repeated when the outcome of an attempt is unknown: an order that is in the state already stays as it is.
 */
export class OrdersClient {
  constructor(private readonly transport: Transport) {}

  /** One page of orders, newest first. */
  async list(query: ListOrders = {}, options: CallOptions = {}): Promise<OrderPage> {
    const { items, next } = await this.transport.list('listOrders', PATH, query, options);
    return { orders: items, next };
  }

  /** All pages from the newest orders to the oldest. */
  pages(query: ListOrders = {}, options: CallOptions = {}): AsyncGenerator<OrderPage, void, undefined> {
    return pagesOf('listOrders', 'orders', (page) => this.list(page, options), query);
  }

  /** All orders, newest first, page after page. */
  async *all(query: ListOrders = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    for await (const { orders } of this.pages({ limit: LARGEST_PAGE, ...query }, options)) yield* orders;
  }

  /**
   * Applies for an animal and reserves it, once however often the request has to be sent.
   *
   * @throws ApiError `pet_not_available`: another client was faster, or the animal is gone; `order_limit_reached`
   */
  async place(order: NewOrder, options: CreateOptions = {}): Promise<Order> {
    const call = { method: 'POST', path: PATH, body: order, ...creationOf(options) } as const;
    return this.transport.send('placeOrder', call, options);
  }

  /** @throws ApiError `order_not_found`, also for an order beyond the reach of the key */
  async get(id: bigint | number, options: CallOptions = {}): Promise<Order> {
    return this.transport.send('getOrder', { path: pathOf(id) }, options);
  }

  /**
   * Cancels an order of this key: the animal is available again.
   *
   * @throws ApiError `order_not_found`, `invalid_order_transition`
   */
  cancel(id: bigint | number, options: ReasonOptions = {}): Promise<Order> {
    return this.act('cancel', id, options);
  }

  /**
   * Approves the order, with `orders:manage`: the animal can be picked up.
   *
   * @throws ApiError `order_not_found`, `invalid_order_transition`
   */
  approve(id: bigint | number, options: CallOptions = {}): Promise<Order> {
    return this.act('approve', id, options);
  }

  /**
   * Delivers the animal of an approved order, with `orders:manage`.
   *
   * @throws ApiError `order_not_found`, `invalid_order_transition`
   */
  deliver(id: bigint | number, options: CallOptions = {}): Promise<Order> {
    return this.act('deliver', id, options);
  }

  /**
   * Declines the order, with `orders:manage`: the animal is available again.
   *
   * @throws ApiError `order_not_found`, `invalid_order_transition`
   */
  decline(id: bigint | number, options: ReasonOptions = {}): Promise<Order> {
    return this.act('decline', id, options);
  }

  /**
   * Takes an adopted animal back, with `orders:manage`: it is available again.
   *
   * @throws ApiError `order_not_found`, `invalid_order_transition`
   */
  return(id: bigint | number, options: ReasonOptions = {}): Promise<Order> {
    return this.act('return', id, options);
  }

  private async act(action: OrderAction, id: bigint | number, options: ReasonOptions): Promise<Order> {
    const { reason } = options;
    const body = reason === undefined ? undefined : { reason };
    const call = { method: 'POST', path: `${pathOf(id)}/${action}`, body, repeatable: true } as const;
    return this.transport.send(`${action}Order`, call, options);
  }
}

function pathOf(id: bigint | number): string {
  return `${PATH}/${toInt64('id', id)}`;
}
