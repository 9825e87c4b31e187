import { Module } from '@nestjs/common';
import { OrderPolicy } from '@petstore/order-domain';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { OrderExpiry } from './order-expiry.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { ORDER_SETTINGS, type OrderSettings } from './orders.settings.js';

/** Adoption orders. */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [OrdersController],
  providers: [
    OrdersService,
    OrderExpiry,
    {
      provide: OrderPolicy,
      inject: [ORDER_SETTINGS.KEY],
      useFactory: ({ orderHoldHours, orderPickupHours, maxOpenOrdersPerKey }: OrderSettings) =>
        new OrderPolicy({ reservation: orderHoldHours, pickup: orderPickupHours }, maxOpenOrdersPerKey),
    },
  ],
  exports: [OrdersService],
})
export class OrdersModule {}
