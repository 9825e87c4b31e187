import { Injectable } from '@nestjs/common';
import {
  type NewOrder,
  OPEN_STATUSES,
  Order,
  type OrderId,
  orderJson,
  type OrderPageRequest,
  type OrderVisibility,
  type PlacementFacts,
} from '@petstore/order-domain';
import { type Page, PetStatus } from '@petstore/pet-domain';
import { Database } from '../database/database.js';
import { isTrue, type TextRow } from '../pipelined-pool/statement.js';
import { storedToken } from '../idempotency/idempotent-request.js';
import { fromTextRow } from '../sql/columns.js';
import { toPage } from '../sql/page.js';
import { FIND_ORDER, keyIdOf, orderPageQuery, PREVIEW_PLACEMENT } from './order.queries.js';
import { ORDER_COLUMNS } from './order.columns.js';

/** State of the database that decides about an order before it is placed. */
export interface PlacementPreview extends PlacementFacts {
  /** Whether a request with the same token was carried out before, or with another operation or input. */
  readonly isRemembered: boolean;
}

/**
 * Orders on the pipelined pool: reading. They are changed in a transaction, see `OrderRepository`.
 *
 * Every method rejects with `StoreUnavailableError` when the database is unavailable.
 */
@Injectable()
export class OrderStore {
  constructor(private readonly database: Database) {}

  /** One page, newest first. Its cost does not grow with the position, nor with the orders of other keys. */
  async list(request: OrderPageRequest): Promise<Page<OrderId>> {
    const { limit } = request;
    const rows = await this.database.reads.queryOnce(...orderPageQuery(request, limit + 1));
    return toPage(rows.map(toOrder), limit, orderJson);
  }

  /** `undefined` when no visible order has the id. */
  async find(id: OrderId, visibility: OrderVisibility): Promise<Order | undefined> {
    const [row] = await this.database.reads.queryOnce(FIND_ORDER, [id, keyIdOf(visibility)]);
    return row && toOrder(row);
  }

  /**
   * What would decide about an order if it were placed now. Waits for no lock.
   *
   * @param token the `Idempotency-Key` of the request
   * @param maxOpen counting the open orders of the key ends there
   */
  async previewPlacement(
    { petId }: NewOrder,
    keyId: string,
    token: string | undefined,
    maxOpen: number,
  ): Promise<PlacementPreview> {
    const values = [keyId, OPEN_STATUSES, maxOpen, petId, token === undefined ? null : storedToken(token)];
    const [[open, status, isRemembered] = []] = await this.database.reads.queryOnce(
      PREVIEW_PLACEMENT,
      values,
    );
    return {
      openOrders: Number(open),
      petStatus: PetStatus.parse(status ?? ''),
      isRemembered: isTrue(isRemembered),
    };
  }
}

function toOrder(row: TextRow): Order {
  return new Order(fromTextRow(ORDER_COLUMNS, row) as Order);
}
