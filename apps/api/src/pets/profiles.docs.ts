import { defineOperations, ok, type ResourceOptions } from '../operations/operation.js';
import { PET_ERRORS } from './pets.docs.js';
import { PET_ID, PETS } from './pets.docs.js';
import { PetProfileDto, PROFILE_EXAMPLE } from './profile.dto.js';

export const PROFILES: ResourceOptions = { tag: PETS.tag };

export const PROFILE_OPERATIONS = defineOperations({
  getPetProfile: {
    summary: 'Get the profile of an animal',
    description: 'Returns what adopters look at; `{}` for an animal that has not been described.',
    since: '1.0.0',
    scope: 'pets:read',
    params: [PET_ID],
    isConditional: true,
    success: ok('The profile.', 'PetProfile', PROFILE_EXAMPLE),
    errors: [PET_ERRORS.pet_not_found],
  },
  replacePetProfile: {
    summary: 'Replace the profile of an animal',
    description:
      'Replaces the whole profile; members that the body does not have are gone, and `{}` empties it. The same profile again changes nothing. The tag of a profile and that of its animal are independent.',
    since: '1.0.0',
    scope: 'pets:write',
    params: [PET_ID],
    hasPreconditions: true,
    body: {
      dto: PetProfileDto,
      description: 'The whole profile; unknown members are ignored.',
      examples: { petProfile: { summary: 'A dog with a photo.', value: PROFILE_EXAMPLE } },
    },
    success: ok('The profile as it is now.', 'PetProfile', PROFILE_EXAMPLE),
    errors: [PET_ERRORS.pet_not_found],
  },
});
