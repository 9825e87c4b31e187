import { Injectable } from '@nestjs/common';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import {
  addDescribedPets,
  type DescribedPet,
  PetStore,
  type Transaction,
  UnitOfWork,
} from '@petstore/persistence';
import {
  describedPetJson,
  type NewPet,
  type Pet,
  PetEvent,
  PetId,
  petJson,
  type PetPatch,
  PetProfile,
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
    if (key === undefined) {
      const pet = await this.pets.create(wanted);
      return this.created(pet, petJson(pet));
    }
    return this.createOnce({ pet: wanted }, key, (_tx, pet) => petJson(pet));
  }

  /** Adds an animal with its profile. @returns it as {@link changeDescribed} does */
  createDescribed(wanted: DescribedPet, key: IdempotencyKey | undefined): Promise<Created> {
    return this.createOnce(wanted, key, (tx, pet) => describedJson(tx, pet, wanted.profile));
  }

  /** The animal after the patch, which is unchanged when the patch changes nothing. */
  update(id: PetId, patch: PetPatch, precondition: Precondition): Promise<Pet> {
    return this.change(id, async (tx, pet) => {
      precondition.requireFor(petJson(pet));
      await patchPet(tx, pet, patch);
      return pet;
    });
  }

  /**
   * Changes an animal and its profile, all of it or nothing.
   *
   * @param describe gives the profile after the change
   * @returns it as JSON, with everything that a list can include
   */
  changeDescribed(
    id: PetId,
    patch: PetPatch,
    describe: (current: PetProfile) => PetProfile,
  ): Promise<string> {
    return this.change(id, async (tx, pet) => {
      await patchPet(tx, pet, patch);
      const current = await tx.pets.profileOf(pet);
      const profile = describe(current);
      await changeProfile(tx, pet, current, profile);
      return describedJson(tx, pet, profile);
    });
  }

  delete(id: PetId, precondition: Precondition): Promise<void> {
    return this.change(id, async (tx, pet) => {
      precondition.requireFor(petJson(pet));
      pet.requireRemovable(await tx.pets.reservationOf(pet));
      await tx.pets.delete(pet);
      tx.emit(PetEvent.deleted(pet));
    });
  }

  /** The profile as JSON. */
  async findProfile(id: PetId, caller: Caller): Promise<string> {
    const profile = await this.pets.findProfile(id, allowStale(caller));
    if (profile === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return profile;
  }

  /** @returns the profile as it is now; the same profile again is no change */
  replaceProfile(id: PetId, profile: PetProfile, precondition: Precondition): Promise<PetProfile> {
    return this.change(id, async (tx, pet) => {
      const current = await tx.pets.profileOf(pet);
      precondition.requireFor(current);
      await changeProfile(tx, pet, current, profile);
      return profile;
    });
  }

  /** Does something with an animal that is locked. @throws {ApiError} `pet_not_found` */
  private change<T>(id: PetId, work: (tx: Transaction, pet: Pet) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(
      async (tx) => {
        const pet = await tx.pets.lock(id);
        if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
        return work(tx, pet);
      },
      { serialize: `pet ${id}` },
    );
  }

  private createOnce(
    wanted: DescribedPet,
    key: IdempotencyKey | undefined,
    jsonOf: (tx: Transaction, pet: Pet) => Promise<string> | string,
  ): Promise<Created> {
    return this.unitOfWork.run((tx) =>
      tx.idempotentRequests.once(key, { ...wanted.pet, profile: wanted.profile }, async () => {
        const [pet] = (await addDescribedPets(tx, [wanted])) as [Pet];
        return this.created(pet, await jsonOf(tx, pet));
      }),
    );
  }

  private created(pet: Pet, json: string): Created {
    return { json, location: this.links.to(`/pets/${pet.id}`) };
  }
}

/** Changes a locked animal; a patch that changes nothing is no change. */
async function patchPet(tx: Transaction, pet: Pet, patch: PetPatch): Promise<void> {
  const reservation = patch.status === undefined ? undefined : await tx.pets.reservationOf(pet);
  const previous = pet.patch(patch, reservation);
  if (previous === undefined) return;
  await tx.pets.update(pet, previous);
  tx.emit(PetEvent.updated(pet, previous));
}

/** Gives a locked animal another profile; the same one is no change. */
async function changeProfile(
  tx: Transaction,
  pet: Pet,
  current: PetProfile,
  profile: PetProfile,
): Promise<void> {
  if (profile === current) return;
  await tx.pets.saveProfile(pet, profile);
  tx.emit(PetEvent.profileUpdated(pet, profile));
}

async function describedJson(tx: Transaction, pet: Pet, profile = PetProfile.EMPTY): Promise<string> {
  const createdAt = await tx.pets.createdAtOf(pet);
  return describedPetJson(Object.assign({ createdAt, profile }, pet));
}

/** The id that a path names. @throws {ApiError} `pet_not_found` */
export function petIdIn(text: string): PetId {
  return idIn(PetId, text, PET_ERRORS.pet_not_found);
}
