import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import type { JsonResponse } from '@petstore/http-server';
import { PetId } from '@petstore/pet-domain';
import { Caller } from '../access/caller.decorator.js';
import { Operation, Resource } from '../operations/declare-operation.js';
import { idIn } from '../operations/path-ids.js';
import { type Precondition, WritePrecondition } from '../operations/precondition.decorator.js';
import { changedResponse, readResponse } from '../operations/responses.js';
import { PET_ERRORS } from '../pets/pet.errors.js';
import { PET_ID } from '../pets/pets.docs.js';
import { PetProfileDto, profileOf } from './profile.dto.js';
import { PROFILE, PROFILES } from './profiles.docs.js';
import { ProfilesService } from './profiles.service.js';

/** The operations on profiles (docs/contract.md, "Profiles"). */
@Controller('v1/pets/:petId/profile')
@Resource(PROFILES)
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get()
  @Operation({
    id: 'getPetProfile',
    summary: 'Get the profile of an animal',
    description: 'Returns what adopters look at; `{}` for an animal that nobody has described.',
    since: '1.1.0',
    scope: 'pets:read',
    params: [PET_ID],
    isConditional: true,
    success: { status: 200, description: 'The profile.', schema: 'PetProfile', example: PROFILE },
    errors: [PET_ERRORS.pet_not_found],
  })
  async get(@Caller() caller: Caller, @Param('petId') petId: string): Promise<JsonResponse> {
    return readResponse(await this.profiles.find(petIdIn(petId), caller));
  }

  @Put()
  @Operation({
    id: 'replacePetProfile',
    summary: 'Replace the profile of an animal',
    description:
      'Replaces the whole profile; members that the body does not have are gone, and `{}` empties it. The same profile again changes nothing. The tag of a profile and that of its animal are independent.',
    since: '1.1.0',
    scope: 'pets:write',
    params: [PET_ID],
    isGuarded: true,
    body: {
      dto: PetProfileDto,
      description: 'The whole profile; unknown members are ignored.',
      examples: { petProfile: { summary: 'A dog with a photo.', value: PROFILE } },
    },
    success: {
      status: 200,
      description: 'The profile as it is now.',
      schema: 'PetProfile',
      example: PROFILE,
    },
    errors: [PET_ERRORS.pet_not_found],
  })
  async replace(
    @Param('petId') petId: string,
    @Body() body: PetProfileDto,
    @WritePrecondition() precondition: Precondition,
  ): Promise<JsonResponse> {
    const profile = profileOf(body);
    return changedResponse(await this.profiles.replace(petIdIn(petId), profile, precondition));
  }
}

function petIdIn(text: string): PetId {
  return idIn(PetId, text, PET_ERRORS.pet_not_found);
}
