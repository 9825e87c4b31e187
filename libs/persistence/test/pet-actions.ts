import {
  CategoryId,
  type NewPet,
  type Pet,
  PetEvent,
  PetId,
  petJson,
  PetName,
  type PetPatch,
  PetProfile,
  type PetStatus,
} from '@petstore/pet-domain';
import { known } from '../src/testing/known.js';
import type { IdempotencyKey } from '../src/idempotency/idempotent-request.js';
import type { IdempotentRequestRepository } from '../src/idempotency/idempotent-request.repository.js';
import type { Stores } from './stores.js';

type Once = Awaited<ReturnType<IdempotentRequestRepository['once']>>;

export const nameOf = (name: string): PetName => known(PetName.parse(name));
export const categoryOf = (id: string | number): CategoryId => known(CategoryId.parse(String(id)));
export const idOf = (id: string | number): PetId => known(PetId.parse(String(id)));

export const profileOf = (members: object): PetProfile =>
  PetProfile.of(members as Readonly<Record<string, unknown>>);

export const rex: NewPet = { name: nameOf('Rex'), categoryId: categoryOf(1), status: 'available' };

/** Rex, in a category and state. */
export const rexOf = (category: string, status: PetStatus = 'available'): NewPet => ({
  ...rex,
  status,
  categoryId: categoryOf(category),
});

/** Changes an animal as the service does. @returns whether there is one */
export function changePet(
  { unitOfWork }: Pick<Stores, 'unitOfWork'>,
  id: PetId,
  patch: PetPatch,
): Promise<boolean> {
  return unitOfWork.run(
    async (tx) => {
      const pet = await tx.pets.lock(id);
      if (pet === undefined) return false;
      const previous = pet.patch(patch);
      if (previous === undefined) return true;
      await tx.pets.update(pet, previous);
      tx.emit(PetEvent.updated(pet, previous));
      return true;
    },
    { serialize: `pet ${id}` },
  );
}

/** Gives an animal another profile as the service does. @returns whether there is one */
export function describePet(
  { unitOfWork }: Pick<Stores, 'unitOfWork'>,
  id: PetId,
  profile: PetProfile,
): Promise<boolean> {
  return unitOfWork.run(
    async (tx) => {
      const pet = await tx.pets.lock(id);
      if (pet === undefined) return false;
      if ((await tx.pets.profileOf(pet)) === profile) return true;
      await tx.pets.saveProfile(pet, profile);
      tx.emit(PetEvent.profileUpdated(pet, profile));
      return true;
    },
    { serialize: `pet ${id}` },
  );
}

/** Removes an animal as the service does. @returns whether there was one */
export function removePet({ unitOfWork }: Pick<Stores, 'unitOfWork'>, id: PetId): Promise<boolean> {
  return unitOfWork.run(async (tx) => {
    const pet = await tx.pets.lock(id);
    if (pet === undefined) return false;
    await tx.pets.delete(pet);
    tx.emit(PetEvent.deleted(pet));
    return true;
  });
}

/** Creates an animal at most once, as the API does with an Idempotency-Key. */
export function addOnce(
  { unitOfWork }: Pick<Stores, 'unitOfWork'>,
  wanted: NewPet,
  name: Omit<IdempotencyKey, 'operation'>,
): Promise<Once> {
  return unitOfWork.run((tx) =>
    tx.idempotentRequests.once({ ...name, operation: 'createPet' }, { ...wanted }, async () => {
      const [pet] = (await tx.pets.insert([{ pet: wanted }])) as [Pet];
      tx.emit(PetEvent.created(pet));
      return { json: petJson(pet), location: `/v1/pets/${pet.id}` };
    }),
  );
}
