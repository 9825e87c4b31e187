import { PetEvent, type PetId, type PetPatch } from '@petstore/pet-domain';
import type { UnitOfWork } from '../src/unit-of-work/unit-of-work.js';

/** Changes a pet as the service does. @returns whether there is one */
export function changePet(unitOfWork: UnitOfWork, id: PetId, patch: PetPatch): Promise<boolean> {
  return unitOfWork.run(
    async (tx) => {
      const pet = await tx.pets.lock(id);
      if (pet === undefined) return false;
      const previous = pet.patch(patch);
      if (previous === undefined) return true;
      await tx.pets.update(pet);
      tx.emit(PetEvent.updated(pet, previous));
      return true;
    },
    { serialize: `pet ${id}` },
  );
}

/** Removes a pet as the service does. @returns whether there was one */
export function removePet(unitOfWork: UnitOfWork, id: PetId): Promise<boolean> {
  return unitOfWork.run(async (tx) => {
    const pet = await tx.pets.lock(id);
    if (pet === undefined) return false;
    await tx.pets.delete(pet);
    tx.emit(PetEvent.deleted(pet));
    return true;
  });
}
