import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { addDescribedPets, PetStore, type Transaction, UnitOfWork } from '@petstore/persistence';
import {
  type NewPet,
  type Pet,
  PetEvent,
  PetId,
  petJson,
  type PetPatch,
  type PetProfile,
} from '@petstore/pet-domain';
import { allowStale } from '../storage/allow-stale.js';
import type { IdempotencyKey, Precondition } from '../operations/request-headers.decorator.js';
import { LinkBuilder } from '../operations/link-builder.js';
import { idIn } from '../operations/path-id.js';
import type { Created, Page } from '../operations/responses.js';
import type { ListPetsQuery } from './pet.dto.js';
import { PET_ERRORS } from './pets.docs.js';
import { PET_LIST } from './pets.list.js';

/** Listing, adding, changing and removing animals, and what adopters look at of them. */
@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly links: LinkBuilder,
  ) {}

  /** @throws {ApiError} `invalid_cursor`; `invalid_parameter` when ids come with a limit or a cursor */
  async list(query: ListPetsQuery, caller: Caller): Promise<Page> {
    const { ids, limit, cursor, include } = query;
    if (ids !== undefined) {
      if (limit !== undefined || cursor !== undefined)
        throw new ApiError('invalid_parameter', {
          message:
            'ids must not be combined with limit or cursor: all animals of the ids are listed at once.',
        });
      const wanted = { ids, ...PET_LIST.filtersOf(query), include };
      return { json: await this.pets.listByIds(wanted, allowStale(caller)), link: undefined };
    }
    const list = PET_LIST.open(query);
    return list.respond(await this.pets.list({ ...list.page, include }, allowStale(caller)), this.links);
  }

  /** The animal as JSON. */
  async find(id: PetId, caller: Caller): Promise<string> {
    const pet = await this.pets.find(id, allowStale(caller));
    if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return pet;
  }

  async create(wanted: NewPet, key: IdempotencyKey | undefined): Promise<Created> {
    // Without a key no transaction is needed: the creations of one tick share a statement.
    if (key === undefined) return this.created(await this.pets.create(wanted));
    return this.unitOfWork.run((tx) =>
      tx.idempotentRequests.once(key, { ...wanted }, async () => {
        const [pet] = (await addDescribedPets(tx, [{ pet: wanted }])) as [Pet];
        return this.created(pet);
      }),
    );
  }

  /** The animal after the patch, which is unchanged when the patch changes nothing. */
  update(id: PetId, patch: PetPatch, precondition: Precondition): Promise<Pet> {
    return this.unitOfWork.run((tx) => patchPet(tx, id, patch, precondition), { serialize: `pet ${id}` });
  }

  delete(id: PetId, precondition: Precondition): Promise<void> {
    return this.unitOfWork.run(
      async (tx) => {
        const pet = await lockPet(tx, id);
        precondition.requireFor(petJson(pet));
        pet.requireRemovable(await tx.pets.reservationOf(pet));
        await tx.pets.delete(pet);
        tx.emit(PetEvent.deleted(pet));
      },
      { serialize: `pet ${id}` },
    );
  }

  /** The profile as JSON. */
  async findProfile(id: PetId, caller: Caller): Promise<string> {
    const profile = await this.pets.findProfile(id, allowStale(caller));
    if (profile === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return profile;
  }

  /** @returns the profile as it is now; the same profile again is no change */
  replaceProfile(id: PetId, profile: PetProfile, precondition: Precondition): Promise<PetProfile> {
    return this.unitOfWork.run(
      async (tx) => {
        const pet = await lockPet(tx, id);
        const current = await tx.pets.profileOf(pet);
        precondition.requireFor(current);
        await changeProfile(tx, pet, current, profile);
        return profile;
      },
      { serialize: `pet ${id}` },
    );
  }

  private created(pet: Pet): Created {
    return { json: petJson(pet), location: this.links.to(`/pets/${pet.id}`) };
  }
}

/** Changes an animal within a transaction, which locks it. @returns it, unchanged when the patch changes nothing */
export async function patchPet(
  tx: Transaction,
  id: PetId,
  patch: PetPatch,
  precondition?: Precondition,
): Promise<Pet> {
  const pet = await lockPet(tx, id);
  precondition?.requireFor(petJson(pet));
  const reservation = patch.status === undefined ? undefined : await tx.pets.reservationOf(pet);
  const previous = pet.patch(patch, reservation);
  if (previous === undefined) return pet;
  await tx.pets.update(pet, previous);
  tx.emit(PetEvent.updated(pet, previous));
  return pet;
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

/** @throws {ApiError} `pet_not_found` */
async function lockPet(tx: Transaction, id: PetId): Promise<Pet> {
  const pet = await tx.pets.lock(id);
  if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
  return pet;
}

/** The id that a path names. @throws {ApiError} `pet_not_found` */
export function petIdIn(text: string): PetId {
  return idIn(PetId, text, PET_ERRORS.pet_not_found);
}
