import { Module } from '@nestjs/common';
import { PostgresPetInventoryStore } from '@petstore/persistence';
import { StorageModule } from '../storage/storage.module.js';
import { InventoryController, PET_INVENTORY_STORE } from './inventory.controller.js';

/** How many animals there are. */
@Module({
  imports: [StorageModule],
  controllers: [InventoryController],
  providers: [{ provide: PET_INVENTORY_STORE, useExisting: PostgresPetInventoryStore }],
})
export class InventoryModule {}
