import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';

/** Everything of animals. */
@Module({
  imports: [StorageModule],
  controllers: [PetsController],
  providers: [PetsService],
  exports: [PetsService],
})
export class PetsModule {}
