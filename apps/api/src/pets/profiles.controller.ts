import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { Caller } from '@petstore/api-key';
import { Operation, Resource } from '../operations/operation.decorator.js';
import { type Precondition, WritePrecondition } from '../operations/request-headers.decorator.js';
import { changedResponse, readResponse } from '../operations/responses.js';
import { petIdIn } from './pets.service.js';
import { PetProfileDto, profileOf } from './profile.dto.js';
import { PROFILE_OPERATIONS, PROFILES } from './profiles.docs.js';
import { ProfilesService } from './profiles.service.js';

/** The operations on profiles (docs/contract.md, "Profiles"). */
@Controller('v1/pets/:petId/profile')
@Resource(PROFILES)
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get()
  @Operation(PROFILE_OPERATIONS.getPetProfile)
  async get(@Caller() caller: Caller, @Param('petId') petId: string): Promise<JsonResponse> {
    return readResponse(await this.profiles.find(petIdIn(petId), caller));
  }

  @Put()
  @Operation(PROFILE_OPERATIONS.replacePetProfile)
  async replace(
    @Param('petId') petId: string,
    @Body() body: PetProfileDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    const profile = profileOf(body);
    return changedResponse(await this.profiles.replace(petIdIn(petId), profile, precondition));
  }
}
