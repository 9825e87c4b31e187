import { Module } from '@nestjs/common';
import { type Configuration, CONFIGURATION } from '../configuration/configuration.js';
import { OrderPolicy } from '@petstore/order-domain';
import { TelemetryModule } from '../observability/telemetry.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { OrderExpiry } from './order-expiry.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

/** Adoption orders. */
@Module({
  imports: [StorageModule, TelemetryModule],
  controllers: [OrdersController],
  providers: [
    OrdersService,
    OrderExpiry,
    {
      provide: OrderPolicy,
      inject: [CONFIGURATION],
      useFactory: ({ orderHoldHours, orderPickupHours, maxOpenOrdersPerKey }: Configuration) =>
        new OrderPolicy({ reservation: orderHoldHours, pickup: orderPickupHours }, maxOpenOrdersPerKey),
    },
  ],
})
export class OrdersModule {}
