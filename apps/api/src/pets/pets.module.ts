import { Module } from '@nestjs/common';
import { PostgresPetStore } from '@petstore/persistence';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { PetLinks } from './pet-links.js';
import { PET_STORE, PetsController } from './pets.controller.js';

/** Everything of animals. */
@Module({
  imports: [StorageModule, IdempotencyModule],
  controllers: [PetsController],
  providers: [PetLinks, { provide: PET_STORE, useExisting: PostgresPetStore }],
})
export class PetsModule {}
