import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { InventoryController } from './inventory.controller.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';

/** Everything of animals: they themselves, and their profiles. */
@Module({
  imports: [StorageModule],
  controllers: [PetsController],
  providers: [PetsService],
  exports: [PetsService],
})
export class PetsModule {}

/** How many animals there are. Apart, as the document has it at the end of the store, behind the orders. */
@Module({ imports: [StorageModule], controllers: [InventoryController] })
export class InventoryModule {}
