import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { InventoryController } from './inventory.controller.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesService } from './profiles.service.js';

/** Everything of animals: they themselves, their profiles, and how many there are. */
@Module({
  imports: [StorageModule],
  controllers: [PetsController, ProfilesController, InventoryController],
  providers: [PetsService, ProfilesService],
  exports: [PetsService],
})
export class PetsModule {}
