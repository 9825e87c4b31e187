import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { InventoryController } from './inventory.controller.js';

/** How many animals there are. */
@Module({ imports: [StorageModule], controllers: [InventoryController] })
export class InventoryModule {}
