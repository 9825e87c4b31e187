import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PetsModule } from '../pets/pets.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AnimalChangeTools } from './animal-changes.tools.js';
import { AnimalTools } from './animals.tools.js';
import { DescribedAnimals } from './described-animals.js';
import { OrderTools } from './orders.tools.js';
import { ShelterTools } from './shelter.tools.js';
import type { ToolGroup } from './tool.js';
import { TOOL_GROUPS, Tools } from './tools.js';
import { UsageTools } from './usage.tools.js';

/** In the order in which their tools are listed. */
const GROUPS = [AnimalTools, ShelterTools, AnimalChangeTools, OrderTools, UsageTools];

/** What assistants can do here: tools over the services of the resources. */
@Module({
  imports: [StorageModule, PetsModule, CategoriesModule, EventsModule, OrdersModule, UsageModule],
  providers: [
    ...GROUPS,
    DescribedAnimals,
    { provide: TOOL_GROUPS, inject: GROUPS, useFactory: (...groups: ToolGroup[]) => groups },
    Tools,
  ],
  exports: [Tools],
})
export class AgentsModule {}
