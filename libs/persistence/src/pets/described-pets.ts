import { type Pet, PetEvent, PetProfile } from '@petstore/pet-domain';
import type { Transaction } from '../unit-of-work/transaction.js';
import type { DescribedPet } from './insert-pets.js';

/** Adds animals and their profiles; the event of a profile comes right behind that of its animal. */
export async function addDescribedPets(
  tx: Transaction,
  wanted: readonly DescribedPet[],
): Promise<readonly Pet[]> {
  const pets = await tx.pets.insert(wanted);
  for (const [at, pet] of pets.entries()) {
    const { profile = PetProfile.EMPTY } = wanted[at] ?? {};
    tx.emit(PetEvent.created(pet));
    if (profile !== PetProfile.EMPTY) tx.emit(PetEvent.profileUpdated(pet, profile));
  }
  return pets;
}
