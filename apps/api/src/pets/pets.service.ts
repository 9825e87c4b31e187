import { Injectable } from '@nestjs/common';
import { ApiError, type JsonResponse } from '@petstore/http-kernel';
import { PetStore, UnitOfWork } from '@petstore/persistence';
import {
  InvalidStatusTransitionError,
  type NewPet,
  type Pet,
  PetEvent,
  PetHeldByOrderError,
  type PetId,
  petJson,
  type PetPatch,
} from '@petstore/pet-domain';
import { Idempotency, type RepeatableRequest } from '../idempotency/idempotency.js';
import type { Precondition } from '../operations/if-match.decorator.js';
import { Refusals } from '../operations/refusals.js';
import { PET_ERRORS } from './pet.errors.js';

const REFUSALS = new Refusals([
  [InvalidStatusTransitionError, PET_ERRORS.invalid_status_transition],
  [PetHeldByOrderError, PET_ERRORS.pet_held_by_order],
]);

/** Adding, changing and removing pets. */
@Injectable()
export class PetsService {
  constructor(
    private readonly pets: PetStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
  ) {}

  /** @param respond makes the response, which an `Idempotency-Key` repeats */
  async create(
    wanted: NewPet,
    request: RepeatableRequest,
    respond: (pet: Pet) => JsonResponse,
  ): Promise<JsonResponse> {
    // Without a token no transaction is needed: the creations of one tick share a statement.
    if (request.token === undefined) return respond(await this.pets.create(wanted));
    return this.idempotency.run({ ...request, input: { ...wanted } }, async (tx) => {
      const pet = await tx.pets.insert(wanted);
      tx.emit(PetEvent.created(pet));
      return respond(pet);
    });
  }

  /** The pet after the patch, which is unchanged when the patch changes nothing. */
  update(id: PetId, patch: PetPatch, precondition: Precondition): Promise<Pet> {
    const updated = this.unitOfWork.run(
      async (tx) => {
        const pet = await tx.pets.lock(id);
        if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
        precondition.requireFor(petJson(pet));
        const reservation = patch.status === undefined ? undefined : await tx.pets.reservationOf(pet);
        const previous = pet.patch(patch, reservation);
        if (previous === undefined) return pet;
        await tx.pets.update(pet);
        tx.emit(PetEvent.updated(pet, previous));
        return pet;
      },
      { serialize: `pet ${id}` },
    );
    return REFUSALS.of(updated);
  }

  delete(id: PetId, precondition: Precondition): Promise<void> {
    const deleted = this.unitOfWork.run(
      async (tx) => {
        const pet = await tx.pets.lock(id);
        if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
        precondition.requireFor(petJson(pet));
        pet.requireRemovable(await tx.pets.reservationOf(pet));
        await tx.pets.delete(pet);
        tx.emit(PetEvent.deleted(pet));
      },
      { serialize: `pet ${id}` },
    );
    return REFUSALS.of(deleted);
  }
}
