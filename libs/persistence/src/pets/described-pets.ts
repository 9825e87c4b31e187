import { type Pet, PetEvent, PetProfile } from '@petstore/pet-domain';
import type { Transaction } from '../unit-of-work/transaction.js';
import type { DescribedPet } from './insert-pets.js';

/** Adds animals and their profiles; the event of a profile comes right behind that of its animal. */
export async function addDescribedPets(
  tx: Transaction,
  wanted: readonly DescribedPet[],
): Promise<readonly Pet[]> {
  const pets = await tx.pets.insert(wanted);
  const described = pets.map((pet, at) => [pet, wanted[at]?.profile ?? PetProfile.EMPTY] as const);
  await tx.pets.insertProfiles(described.filter(([, profile]) => profile !== PetProfile.EMPTY));
  for (const [pet, profile] of described) {
    tx.emit(PetEvent.created(pet));
    if (profile !== PetProfile.EMPTY) tx.emit(PetEvent.profileUpdated(pet, profile));
  }
  return pets;
}
