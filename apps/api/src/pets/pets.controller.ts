import { Inject, Param } from '@nestjs/common';
import { ApiError, EmptyResponse, type JsonResponse } from '@petstore/http-kernel';
import { JsonBody, QueryParameters } from '@petstore/http-server';
import {
  InvalidStatusTransitionError,
  patchPet,
  type Pet,
  PetHeldByOrderError,
  PetId,
  petJson,
  type PetStore,
  requireRemovable,
} from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import {
  changedResponse,
  createdResponse,
  pageResponse,
  PRIVATE_RESPONSE,
  readResponse,
} from '../operations/contract-responses.js';
import { IfMatch, type Precondition } from '../operations/if-match.decorator.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { Refusals } from '../operations/refusals.js';
import { ListPetsQuery } from './list-pets.query.js';
import { NewPetDto, PetPatchDto } from './pet.dto.js';
import { PET_ERRORS } from './pet.errors.js';
import { PetLinks } from './pet-links.js';
import { CREATE_PET, DELETE_PET, GET_PET, LIST_PETS, PETS_RESOURCE, UPDATE_PET } from './pets.operations.js';

/** Injection token of the port that animals are kept behind. */
export const PET_STORE = Symbol('PetStore');

const REFUSALS = new Refusals([
  [InvalidStatusTransitionError, PET_ERRORS.invalid_status_transition],
  [PetHeldByOrderError, PET_ERRORS.pet_held_by_order],
]);

/** The operations on animals (specification, section 4; docs/contract.md, "Animals"). */
@ContractController(PETS_RESOURCE)
export class PetsController {
  constructor(
    @Inject(PET_STORE) private readonly pets: PetStore,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(PetLinks) private readonly links: PetLinks,
  ) {}

  @ContractOperation(LIST_PETS)
  async list(@QueryParameters(ListPetsQuery) query: ListPetsQuery): Promise<JsonResponse> {
    const byIds = ListPetsQuery.toByIdsRequest(query);
    if (byIds !== undefined) return readResponse(await this.pets.listByIds(byIds));
    const request = ListPetsQuery.toPageRequest(query);
    const page = await this.pets.list(request);
    return pageResponse(page.json, this.links.page(request, page));
  }

  @ContractOperation(CREATE_PET)
  async create(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewPetDto) body: NewPetDto,
  ): Promise<JsonResponse> {
    const wanted = NewPetDto.toNewPet(body);
    if (token === undefined) return this.created(await this.pets.add(wanted));
    const request = { caller: keyId, token, operation: CREATE_PET.id, input: { ...wanted } };
    return this.idempotency.run(request, async (transaction) =>
      this.created(await this.pets.add(wanted, transaction)),
    );
  }

  @ContractOperation(GET_PET)
  async get(@Param('petId') text: string): Promise<JsonResponse> {
    // What cannot be an id names no animal; the specification gives this operation no 400.
    const pet = await this.pets.find(petIdOf(text));
    if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return readResponse(pet);
  }

  @ContractOperation(UPDATE_PET)
  async update(
    @Param('petId') text: string,
    @IfMatch() precondition: Precondition,
    @JsonBody(PetPatchDto) body: PetPatchDto,
  ): Promise<JsonResponse> {
    const patch = PetPatchDto.toPatch(body);
    const pet = await REFUSALS.of(
      this.pets.change(petIdOf(text), (current, hold) => {
        precondition.requireFor(petJson(current));
        return patchPet(current, patch, hold);
      }),
    );
    if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return changedResponse(petJson(pet));
  }

  @ContractOperation(DELETE_PET)
  async delete(@Param('petId') text: string, @IfMatch() precondition: Precondition): Promise<EmptyResponse> {
    const wasThere = await REFUSALS.of(
      this.pets.remove(petIdOf(text), (current, hold) => {
        precondition.requireFor(petJson(current));
        requireRemovable(hold);
      }),
    );
    if (!wasThere) throw new ApiError(PET_ERRORS.pet_not_found);
    return new EmptyResponse(PRIVATE_RESPONSE);
  }

  private created(pet: Pet): JsonResponse {
    return createdResponse(petJson(pet), this.links.pet(pet));
  }
}

function petIdOf(text: string): PetId {
  const id = PetId.parse(text);
  if (id === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
  return id;
}
