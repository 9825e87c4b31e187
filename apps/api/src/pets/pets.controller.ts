import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { EmptyResponse, JsonResponse } from '@petstore/http-server';
import { PetId, petJson } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { type Precondition, WritePrecondition } from '../operations/precondition.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { idIn } from '../operations/path-ids.js';
import {
  changedResponse,
  createdResponse,
  emptyResponse,
  pageResponse,
  readResponse,
} from '../operations/responses.js';
import { ListPetsQuery, NewPetDto, PetPatchDto } from './pet.dto.js';
import { PET_ERRORS } from './pet.errors.js';
import { MIA, PET_ID, PETS, REX } from './pets.docs.js';
import { PetsService } from './pets.service.js';

/** The operations on animals (specification, section 4; docs/contract.md, "Animals"). */
@Controller('v1/pets')
@Resource(PETS)
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  @Operation({
    id: 'listPets',
    summary: 'List animals',
    description:
      'Returns a paginated list of animals, newest first. While older ones follow, the response carries a `Link` header with `rel="next"`. With `ids` it returns these animals, all at once.',
    scope: 'pets:read',
    isPaged: true,
    isConditional: true,
    success: {
      status: 200,
      description: 'One page of animals.',
      schema: 'PetsWithProfiles',
      example: [REX, MIA],
    },
  })
  async list(@Caller() caller: Caller, @Query() query: ListPetsQuery): Promise<JsonResponse> {
    return pageResponse(await this.pets.list(query, caller));
  }

  @Post()
  @Operation({
    id: 'createPet',
    summary: 'Add an animal',
    description:
      'Adds an animal. Without a `status` it is `available`. With an `Idempotency-Key` the request may be sent again without harm: it is carried out once, and the first response is returned again for 24 hours.',
    scope: 'pets:write',
    isIdempotent: true,
    body: {
      dto: NewPetDto,
      description: 'The animal to add; unknown members are ignored.',
      examples: {
        newPet: { summary: 'An animal that is available.', value: { name: 'Rex', categoryId: 7 } },
      },
    },
    success: {
      status: 201,
      description: 'The created animal, including the assigned id.',
      schema: 'Pet',
      example: REX,
    },
  })
  async create(
    @Body() body: NewPetDto,
    @IdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<JsonResponse> {
    return createdResponse(await this.pets.create(body, key));
  }

  @Get(':petId')
  @Operation({
    id: 'getPet',
    summary: 'Get an animal',
    description: 'Returns details of a single animal.',
    scope: 'pets:read',
    params: [PET_ID],
    isConditional: true,
    success: { status: 200, description: 'The animal.', schema: 'Pet', example: REX },
    errors: [PET_ERRORS.pet_not_found],
    isNeverBadRequest: true,
    deprecation: {
      since: new Date('2025-12-05T00:00:00Z'),
      sunset: new Date('2030-12-05T00:00:00Z'),
      successor: { method: 'GET', path: '/pets', usage: 'with a `status` filter' },
    },
  })
  async get(@Caller() caller: Caller, @Param('petId') petId: string): Promise<JsonResponse> {
    return readResponse(await this.pets.find(petIdIn(petId), caller));
  }

  @Patch(':petId')
  @Operation({
    id: 'updatePet',
    summary: 'Change an animal',
    description:
      'Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error. The status changes from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, and from `sold` to `available`.',
    since: '1.1.0',
    scope: 'pets:write',
    params: [PET_ID],
    isGuarded: true,
    body: {
      dto: PetPatchDto,
      description:
        'The members to change; unknown ones and `id` are ignored, and none can be removed with `null`.',
      examples: { petPatch: { summary: 'Somebody takes the animal home.', value: { status: 'sold' } } },
    },
    success: {
      status: 200,
      description: 'The animal as it is now.',
      schema: 'Pet',
      example: { ...REX, status: 'sold' },
    },
    errors: [PET_ERRORS.pet_not_found, PET_ERRORS.invalid_status_transition, PET_ERRORS.pet_held_by_order],
  })
  async update(
    @Param('petId') petId: string,
    @Body() body: PetPatchDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    return changedResponse(petJson(await this.pets.update(petIdIn(petId), body, precondition)));
  }

  @Delete(':petId')
  @HttpCode(204)
  @Operation({
    id: 'deletePet',
    summary: 'Remove an animal',
    description: 'Removes an animal for ever; its id is never given to another one.',
    since: '1.1.0',
    scope: 'pets:write',
    params: [PET_ID],
    isGuarded: true,
    success: { status: 204, description: 'The animal has been removed.' },
    errors: [PET_ERRORS.pet_not_found, PET_ERRORS.pet_held_by_order],
  })
  async delete(
    @Param('petId') petId: string,
    @WritePrecondition() precondition: Precondition,
  ): Promise<EmptyResponse> {
    await this.pets.delete(petIdIn(petId), precondition);
    return emptyResponse();
  }
}

function petIdIn(text: string): PetId {
  return idIn(PetId, text, PET_ERRORS.pet_not_found);
}
