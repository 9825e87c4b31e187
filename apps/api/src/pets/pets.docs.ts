import { PageLimit, PetStatus } from '@petstore/pet-domain';
import type { Parameter, ResourceOptions } from '../operations/operation.js';
import { arrayOf, INT64_SCHEMA } from '../operations/schemas.js';
import { PetDto } from './pet.dto.js';

export const PETS: ResourceOptions = {
  tag: { name: 'Pets', description: 'Animals available for adoption.' },
  models: [PetDto],
  schemas: {
    PetStatus: { type: 'string', enum: [...PetStatus.ALL], description: 'Availability status.' },
    Pets: arrayOf('Pet', PageLimit.MAX, 'One page of animals, newest first.'),
    PetWithProfile: {
      description: 'An animal, and its profile where it was asked for and somebody has described it.',
      allOf: [
        { $ref: '#/components/schemas/Pet' },
        { type: 'object', properties: { profile: { $ref: '#/components/schemas/PetProfile' } } },
      ],
    },
    PetsWithProfiles: arrayOf('PetWithProfile', PageLimit.MAX, 'One page of animals, newest first.'),
  },
};

export const PET_ID: Parameter = {
  name: 'petId',
  description: 'Id of the animal.',
  schema: INT64_SCHEMA,
  // Generators of requests take it as it is: the sample data has it.
  example: 1,
};

export const REX = { id: 42, name: 'Rex', categoryId: 7, status: 'available' };
export const MIA = { id: 41, name: 'Mia', categoryId: 3, status: 'available' };
