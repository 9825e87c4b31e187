import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PetLinks } from './pet-links.js';
import { PetsController } from './pets.controller.js';

/** Everything of animals. Needs a `PET_STORE` and a `PostgresIdempotencyStore` from a global module. */
@Module({ imports: [IdempotencyModule], controllers: [PetsController], providers: [PetLinks] })
export class PetsModule {}
