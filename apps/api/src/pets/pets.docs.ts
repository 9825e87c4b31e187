import {
  described,
  INCLUDED_FIELDS,
  InvalidStatusTransitionError,
  PageLimit,
  PET_FIELDS,
  PetHeldByOrderError,
  PetStatus,
  STATUS_TARGETS,
} from '@petstore/pet-domain';
import { created, defineOperations, noContent, ok, type ResourceOptions } from '../operations/operation.js';
import { pathId } from '../operations/path-id.js';
import { arrayOf, componentsOf, exampleOf, responseSchema } from '../operations/members.js';
import { GET_PET_DEPRECATION } from '../operations/operations.settings.js';
import { NewPetDto, PetDto, PetPatchDto } from './pet.dto.js';
import { PetProfileDto, PROFILE_EXAMPLE } from './profile.dto.js';
import { defineErrors } from '@petstore/http-server';

/** Errors of operations on animals beside those of all operations (docs/contract.md, "Errors"). */
export const PET_ERRORS = defineErrors({
  pet_not_found: {
    status: 404,
    message: 'No animal has this id.',
    when: 'No animal has the id in the path.',
  },
  invalid_status_transition: {
    status: 409,
    refusal: InvalidStatusTransitionError,
    message: 'The status of the animal cannot be changed so.',
    when: 'The status of the animal cannot change to the one that is asked for.',
  },
  pet_held_by_order: {
    status: 409,
    refusal: PetHeldByOrderError,
    message: 'An order holds this animal: its status changes with the order.',
    when: 'An order holds the animal: its status changes with the order, and it cannot be removed while reserved.',
  },
});

export const PETS: ResourceOptions = {
  tag: { name: 'Pets', description: 'Animals available for adoption.', guide: 'pages' },
  models: [PetDto],
  schemas: {
    ...componentsOf(described(PetStatus, 'Availability status.')),
    Pets: arrayOf('Pet', PageLimit.MAX, 'One page of animals, newest first.'),
    PetWithProfile: {
      description:
        'An animal, with what was asked for: when it was added, and its profile if it has been described.',
      allOf: [
        { $ref: '#/components/schemas/Pet' },
        {
          type: 'object',
          properties: {
            createdAt: responseSchema(INCLUDED_FIELDS.createdAt),
            profile: { $ref: '#/components/schemas/PetProfile' },
          },
        },
      ],
    },
    PetsWithProfiles: arrayOf('PetWithProfile', PageLimit.MAX, 'One page of animals, newest first.'),
  },
};

const AND = new Intl.ListFormat('en');
const TRANSITIONS = PetStatus.ALL.map(
  (from) => `from \`${from}\` to ${STATUS_TARGETS[from].map((to) => `\`${to}\``).join(' or ')}`,
);

const PET_ID = pathId('petId', 'Id of the animal.', 1);

const REX = exampleOf(PET_FIELDS);
const MIA = exampleOf(PET_FIELDS, { id: 41, name: 'Mia', categoryId: 3 });

export const PET_OPERATIONS = defineOperations({
  listPets: {
    summary: 'List animals',
    description:
      'Returns a paginated list of animals, newest first. While older ones follow, the response carries a `Link` header with `rel="next"`. With `ids` it returns these animals, all at once. The parameters behind `include` search: an animal is found when all of them are true of it; what is not known of an animal finds it by no value. Texts are compared in any case and whole.',
    scope: 'pets:read',
    isPaged: true,
    isConditional: true,
    success: ok('One page of animals.', 'PetsWithProfiles', [REX, MIA]),
  },
  createPet: {
    summary: 'Add an animal',
    guide: 'first-call',
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
    success: created('The created animal, including the assigned id.', 'Pet', REX),
  },
  getPet: {
    summary: 'Get an animal',
    guide: 'deprecation',
    description: 'Returns details of a single animal.',
    scope: 'pets:read',
    params: [PET_ID],
    isConditional: true,
    success: ok('The animal.', 'Pet', REX),
    errors: [PET_ERRORS.pet_not_found],
    isNeverBadRequest: true,
    deprecation: {
      since: 'getPetDeprecatedSince',
      afterSunset: 'getPetAfterSunset',
      sunset: new Date(GET_PET_DEPRECATION.sunset),
      successor: { method: 'GET', path: '/pets', usage: 'with a `status` filter' },
    },
  },
  updatePet: {
    summary: 'Change an animal',
    guide: 'changes',
    description: `Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error. The status changes ${AND.format(TRANSITIONS)}.`,
    since: '1.0.0',
    scope: 'pets:write',
    params: [PET_ID],
    hasPreconditions: true,
    body: {
      dto: PetPatchDto,
      description:
        'The members to change; unknown ones and `id` are ignored, and none can be removed with `null`.',
      examples: { petPatch: { summary: 'The animal gets a name.', value: { name: 'Rex' } } },
    },
    success: ok('The animal as it is now.', 'Pet', { ...REX, status: 'sold' }),
    errors: [PET_ERRORS.pet_not_found, PET_ERRORS.invalid_status_transition, PET_ERRORS.pet_held_by_order],
  },
  deletePet: {
    summary: 'Remove an animal',
    guide: 'changes',
    description: 'Removes an animal for ever; its id is never given to another one.',
    since: '1.0.0',
    scope: 'pets:write',
    params: [PET_ID],
    hasPreconditions: true,
    success: noContent('The animal has been removed.'),
    errors: [PET_ERRORS.pet_not_found, PET_ERRORS.pet_held_by_order],
  },
  getPetProfile: {
    summary: 'Get the profile of an animal',
    guide: 'show-animals',
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
    guide: 'show-animals',
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
