import { Injectable } from '@nestjs/common';
import { INT64_MAX } from '@petstore/pet-domain';
import { type Delivery, deliveryJson, type DeliveryPage, type DeliveryPageRequest } from '@petstore/webhook';
import { Database } from '../database/database.js';
import { fromTextRow } from '../sql/columns.js';
import { toPage } from '../sql/page.js';
import { PAGES } from './delivery.queries.js';
import { DELIVERY_COLUMNS } from './webhook.schema.js';

/** Deliveries of webhooks on the pipelined pool. Everything else is done in a transaction, see `DeliveryRepository`. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly database: Database) {}

  /**
   * One page, newest first; empty for an endpoint that the key does not have.
   *
   * @throws {StoreUnavailableError}
   */
  async list({ id, keyId, limit, status, before }: DeliveryPageRequest): Promise<DeliveryPage> {
    const values = [id, limit + 1, before ?? INT64_MAX, keyId];
    const rows = await this.database.reads.queryOnce(PAGES[status ?? 'all'], values);
    const deliveries = rows.map((row) => fromTextRow(DELIVERY_COLUMNS, row) as Delivery);
    return toPage(deliveries, limit, deliveryJson);
  }
}
