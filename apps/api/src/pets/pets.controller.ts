import { Controller, Inject, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Answer, type AnswerHeaders, ApiError, Documented } from '@petstore/http-kernel';
import { deferredErrorOf, JsonBody, QueryParameters } from '@petstore/http-server';
import { type Pet, PetId, petJson, type PetStore } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { Deprecation } from '../operations/deprecation.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { ListPetsQuery } from './list-pets.query.js';
import { NewPetDto, PetDto } from './pet.dto.js';
import { PetLinks } from './pet-links.js';
import { CreatePet, GetPet, ListPets } from './pets.operations.js';

/** Injection token of the port that animals are kept behind. */
export const PET_STORE = Symbol('PetStore');

/** Answers belong to the key they were given to, and are asked for anew each time. */
const PRIVATE: AnswerHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };

/** The three operations on animals (specification, section 4). */
@Controller('v1/pets')
@Documented(({ ApiTags }) => ApiTags('Pets'), ({ ApiExtraModels }) => ApiExtraModels(PetDto))
export class PetsController {
  constructor(
    @Inject(PET_STORE) private readonly pets: PetStore,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
    @Inject(PetLinks) private readonly links: PetLinks,
    @Inject(Deprecation) private readonly deprecation: Deprecation,
  ) {}

  @ListPets()
  async list(@QueryParameters(ListPetsQuery) query: ListPetsQuery): Promise<Answer> {
    const request = ListPetsQuery.toPageRequest(query);
    if (request === undefined) {
      throw new ApiError('invalid_cursor', {
        message:
          'The cursor belongs to a list with another status filter. Send the filter that it was given out for.',
      });
    }
    const page = await this.pets.list(request);
    const link = this.links.page(request, page);
    return Answer.conditional(page.json, link === undefined ? PRIVATE : { ...PRIVATE, Link: link });
  }

  @CreatePet()
  async create(
    @Caller() { keyId }: Caller,
    @IdempotencyKey() token: string | undefined,
    @JsonBody(NewPetDto) body: NewPetDto,
  ): Promise<Answer> {
    const wanted = NewPetDto.toNewPet(body);
    if (token === undefined) return this.created(await this.pets.add(wanted));
    const request = { caller: keyId, token, operation: 'createPet', input: { ...wanted } };
    return this.idempotency.run(request, async (transaction) =>
      this.created(await this.pets.add(wanted, transaction)),
    );
  }

  @GetPet()
  async get(@Param('petId') text: string, @Req() request: Request): Promise<Answer> {
    this.deprecation.refuseIfRemoved();
    // What cannot be an id names no animal; the specification gives this operation no 400.
    const id = PetId.parse(text);
    if (id === undefined) throw deferredErrorOf(request) ?? new ApiError('pet_not_found');
    const pet = await this.pets.find(id);
    if (pet === undefined) throw new ApiError('pet_not_found');
    return Answer.conditional(pet, PRIVATE);
  }

  private created(pet: Pet): Answer {
    return Answer.created(petJson(pet), { ...PRIVATE, Location: this.links.pet(pet) });
  }
}
