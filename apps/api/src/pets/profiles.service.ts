import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { PetStore, type Transaction, UnitOfWork } from '@petstore/persistence';
import { type Pet, PetEvent, type PetId, type PetProfile } from '@petstore/pet-domain';
import { allowStale } from '../storage/allow-stale.js';
import type { Precondition } from '../operations/request-headers.decorator.js';
import { PET_ERRORS } from './pets.docs.js';

/** Reading and replacing what adopters look at of an animal. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly pets: PetStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The profile as JSON. */
  async find(id: PetId, caller: Caller): Promise<string> {
    const profile = await this.pets.findProfile(id, allowStale(caller));
    if (profile === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return profile;
  }

  /** @returns the profile as it is now; the same profile again is no change */
  replace(id: PetId, profile: PetProfile, precondition: Precondition): Promise<PetProfile> {
    return this.unitOfWork.run(
      async (tx) => {
        const pet = await tx.pets.lock(id);
        if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
        const current = await tx.pets.profileOf(pet);
        precondition.requireFor(current);
        await changeProfile(tx, pet, current, profile);
        return profile;
      },
      { serialize: `pet ${id}` },
    );
  }
}

/** Gives a locked animal another profile; the same one is no change. */
export async function changeProfile(
  tx: Transaction,
  pet: Pet,
  current: PetProfile,
  profile: PetProfile,
): Promise<void> {
  if (profile === current) return;
  await tx.pets.saveProfile(pet, profile);
  tx.emit(PetEvent.profileUpdated(pet, profile));
}
