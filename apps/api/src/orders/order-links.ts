import { Inject, Injectable } from '@nestjs/common';
import type { Order, OrderPage, OrderPageRequest } from '@petstore/order-domain';
import { pageLinks } from '../lists/page-links.js';
import { API_BASE_URL } from '../operations/api-base-url.js';
import { OrderCursor } from './order-cursor.js';
import { ORDERS_PATH } from './orders.operations.js';

/** Where orders and lists of them are found, as clients would write it. */
@Injectable()
export class OrderLinks {
  private readonly orders: string;

  /** @param base `/v1`, or an absolute URL that ends in it */
  constructor(@Inject(API_BASE_URL) base: string) {
    this.orders = base + ORDERS_PATH;
  }

  /** Of one order; for the Location header field. */
  order({ id }: Order): string {
    return `${this.orders}/${id}`;
  }

  /** Link header field of a page; `undefined` when it needs none. */
  page({ limit, status, petId, before }: OrderPageRequest, { last, more }: OrderPage): string | undefined {
    return pageLinks({
      path: this.orders,
      limit,
      filters: { status, petId },
      next: more && last !== undefined ? OrderCursor.encode({ status, petId, before: last }) : undefined,
      isFirst: before === undefined,
    });
  }
}
