import { Inject, Param } from '@nestjs/common';
import { ApiError, JsonResponse } from '@petstore/http-kernel';
import { JsonBody, QueryParameters } from '@petstore/http-server';
import { type Pet, PetId, petJson, type PetStore } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { ContractController } from '../operations/contract-controller.decorator.js';
import { ContractOperation } from '../operations/operation.decorator.js';
import { PRIVATE_RESPONSE } from '../operations/private-response.js';
import { ListPetsQuery } from './list-pets.query.js';
import { NewPetDto } from './pet.dto.js';
import { PET_ERRORS } from './pet.errors.js';
import { PetLinks } from './pet-links.js';
import { CREATE_PET, GET_PET, LIST_PETS, PETS_RESOURCE } from './pets.operations.js';

/** Injection token of the port that animals are kept behind. */
export const PET_STORE = Symbol('PetStore');

/** The three operations on animals (specification, section 4). */
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
    if (byIds !== undefined)
      return JsonResponse.conditional(await this.pets.listByIds(byIds), PRIVATE_RESPONSE);
    const request = ListPetsQuery.toPageRequest(query);
    const page = await this.pets.list(request);
    const link = this.links.page(request, page);
    return JsonResponse.conditional(
      page.json,
      link === undefined ? PRIVATE_RESPONSE : { ...PRIVATE_RESPONSE, Link: link },
    );
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
    const id = PetId.parse(text);
    if (id === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    const pet = await this.pets.find(id);
    if (pet === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
    return JsonResponse.conditional(pet, PRIVATE_RESPONSE);
  }

  private created(pet: Pet): JsonResponse {
    return JsonResponse.created(petJson(pet), { ...PRIVATE_RESPONSE, Location: this.links.pet(pet) });
  }
}
