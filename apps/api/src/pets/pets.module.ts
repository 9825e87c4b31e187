import { Module } from '@nestjs/common';
import { PetLinks } from './pet-links.js';
import { PetsController } from './pets.controller.js';

/** Everything of animals. Needs a `PET_STORE` from a global module. */
@Module({ controllers: [PetsController], providers: [PetLinks] })
export class PetsModule {}
