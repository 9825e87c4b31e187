import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PetsModule } from '../pets/pets.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { UsageModule } from '../keys/usage.module.js';
import { Tools } from './tools.js';

/** What assistants can do here: tools over the services of the resources. */
@Module({
  imports: [StorageModule, PetsModule, CategoriesModule, EventsModule, OrdersModule, UsageModule],
  providers: [Tools],
  exports: [Tools],
})
export class AgentsModule {}
