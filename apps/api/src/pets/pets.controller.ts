import { Param } from '@nestjs/common';
import { ApiError, EmptyResponse, type JsonResponse } from '@petstore/http-kernel';
import { JsonBody, QueryParameters } from '@petstore/http-server';
import { PetStore } from '@petstore/persistence';
import { type Pet, PetId, petJson } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
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
import { ListPetsQuery } from './list-pets.query.js';
import { NewPetDto, PetPatchDto } from './pet.dto.js';
import { PET_ERRORS } from './pet.errors.js';
import { PetLinks } from './pet-links.js';
import { CREATE_PET, DELETE_PET, GET_PET, LIST_PETS, PETS_RESOURCE, UPDATE_PET } from './pets.operations.js';
import { PetsService } from './pets.service.js';

/** The operations on animals (specification, section 4; docs/contract.md, "Animals"). */
@ContractController(PETS_RESOURCE)
export class PetsController {
  constructor(
    private readonly pets: PetStore,
    private readonly service: PetsService,
    private readonly links: PetLinks,
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
  create(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewPetDto) body: NewPetDto,
  ): Promise<JsonResponse> {
    const request = { caller: keyId, token, operation: CREATE_PET.id };
    return this.service.create(NewPetDto.toNewPet(body), request, (pet) => this.created(pet));
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
    const pet = await this.service.update(petIdOf(text), PetPatchDto.toPatch(body), precondition);
    return changedResponse(petJson(pet));
  }

  @ContractOperation(DELETE_PET)
  async delete(@Param('petId') text: string, @IfMatch() precondition: Precondition): Promise<EmptyResponse> {
    await this.service.delete(petIdOf(text), precondition);
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
