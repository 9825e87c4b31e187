import { Module } from '@nestjs/common';
import { PostgresOrderStore } from '@petstore/persistence';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { OrderExpiry } from './order-expiry.js';
import { OrderLinks } from './order-links.js';
import { ORDER_STORE, OrdersController } from './orders.controller.js';

/** Adoption orders. */
@Module({
  imports: [StorageModule, IdempotencyModule, TelemetryModule],
  controllers: [OrdersController],
  providers: [OrderLinks, OrderExpiry, { provide: ORDER_STORE, useExisting: PostgresOrderStore }],
})
export class OrdersModule {}
