import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CategoriesModule } from './categories/categories.module.js';
import { DocsModule } from './docs/docs.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { ManagementListenerModule } from './management/management-listener.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { type AppOptions, OptionsModule } from './options/options.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PetsModule } from './pets/pets.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { UsageModule } from './usage/usage.module.js';
import { DeliveringModule } from './webhooks/delivering.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The modules of the resources: a new one is a line here. */
export const RESOURCE_MODULES: readonly Type[] = [
  PetsModule,
  ProfilesModule,
  CategoriesModule,
  OrdersModule,
  InventoryModule,
  EventsModule,
  UsageModule,
  WebhooksModule,
];

/** The service. It imports modules and does nothing else. */
@Module({
  imports: [
    OperationsModule,
    IdempotencyModule,
    HttpModule,
    DocsModule,
    HealthModule,
    ManagementListenerModule,
    DeliveringModule,
    ...RESOURCE_MODULES,
  ],
})
export class AppModule {
  static forRoot(options: AppOptions): DynamicModule {
    return { module: AppModule, imports: [OptionsModule.forRoot(options)] };
  }
}
