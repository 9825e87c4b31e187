import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import type { EmptyResponse, JsonResponse } from '@petstore/http-server';
import { petJson } from '@petstore/pet-domain';
import { Caller } from '@petstore/api-key';
import {
  IdempotencyKey,
  type Precondition,
  WritePrecondition,
} from '../operations/request-headers.decorator.js';
import { Operation, Resource } from '../operations/operation.decorator.js';
import {
  changedResponse,
  createdResponse,
  emptyResponse,
  pageResponse,
  readResponse,
} from '../operations/responses.js';
import { ListPetsQuery, NewPetDto, PetPatchDto } from './pet.dto.js';
import { PET_OPERATIONS, PETS } from './pets.docs.js';
import { petIdIn, PetsService } from './pets.service.js';
import { PetProfileDto, profileOf } from './profile.dto.js';

/** The operations on animals and their profiles (docs/contract.md, "Animals", "Profiles"). */
@Controller('v1/pets')
@Resource(PETS)
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  @Operation(PET_OPERATIONS.listPets)
  async list(@Caller() caller: Caller, @Query() query: ListPetsQuery): Promise<JsonResponse> {
    return pageResponse(await this.pets.list(query, caller));
  }

  @Post()
  @Operation(PET_OPERATIONS.createPet)
  async create(
    @Body() body: NewPetDto,
    @IdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<JsonResponse> {
    return createdResponse(await this.pets.create(body, key));
  }

  @Get(':petId')
  @Operation(PET_OPERATIONS.getPet)
  async get(@Caller() caller: Caller, @Param('petId') petId: string): Promise<JsonResponse> {
    return readResponse(await this.pets.find(petIdIn(petId), caller));
  }

  @Patch(':petId')
  @Operation(PET_OPERATIONS.updatePet)
  async update(
    @Param('petId') petId: string,
    @Body() body: PetPatchDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    return changedResponse(petJson(await this.pets.update(petIdIn(petId), body, precondition)));
  }

  @Delete(':petId')
  @Operation(PET_OPERATIONS.deletePet)
  async delete(
    @Param('petId') petId: string,
    @WritePrecondition() precondition: Precondition,
  ): Promise<EmptyResponse> {
    await this.pets.delete(petIdIn(petId), precondition);
    return emptyResponse();
  }

  @Get(':petId/profile')
  @Operation(PET_OPERATIONS.getPetProfile)
  async getProfile(@Caller() caller: Caller, @Param('petId') petId: string): Promise<JsonResponse> {
    return readResponse(await this.pets.findProfile(petIdIn(petId), caller));
  }

  @Put(':petId/profile')
  @Operation(PET_OPERATIONS.replacePetProfile)
  async replaceProfile(
    @Param('petId') petId: string,
    @Body() body: PetProfileDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    const profile = profileOf(body);
    return changedResponse(await this.pets.replaceProfile(petIdIn(petId), profile, precondition));
  }
}
