import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import {
  CategoryId,
  described,
  INCLUDED_FIELDS,
  type Members,
  objectOf,
  optional,
  PET_FIELDS,
  PET_SEARCH,
  PetId,
  PetStatus,
  resourceOf,
  type ValueOf,
} from '@petstore/pet-domain';
import { PET_ERRORS } from '../pets/pets.docs.js';
import type { PetsService } from '../pets/pets.service.js';
import { animalOf, PROFILE_MEMBERS } from './animal-profile.js';
import { cursor, digits, limit } from './arguments.js';
import { NEXT_CURSOR, parseExactly, someOf } from './results.js';
import { defineTool, type Tool } from './tool.js';

const MAX_FOUND = 50;
const USUAL_FOUND = 10;
/** Characters of a description that a search shows: ten long ones would fill a model's attention. */
const MAX_DESCRIPTION = 300;

/** An animal as tools give it: its profile is flat beside its own members. */
export const ANIMAL = resourceOf({
  ...PET_FIELDS,
  createdAt: optional(INCLUDED_FIELDS.createdAt),
  ...PROFILE_MEMBERS,
});

export const ANIMAL_ID = digits(PetId, 'Id of the animal.');

const SEARCH = objectOf({
  status: described(PetStatus, `Availability; ${PetStatus.DEFAULT} unless given.`),
  categoryId: digits(CategoryId, 'Only animals of this category.'),
  ...PET_SEARCH,
  limit: limit(MAX_FOUND, USUAL_FOUND),
  cursor: cursor<PetId>(),
});

/** Finding animals. */
export const animalTools = (pets: PetsService): readonly Tool[] => [
  defineTool({
    name: 'search_animals',
    description: `Finds animals, newest first: those of which everything is true that is given. What a shelter has not said of an animal finds it by no value, nor by false. Of a description it shows the first ${MAX_DESCRIPTION} characters; get_animal has all.`,
    scope: 'pets:read',
    arguments: SEARCH,
    result: resourceOf({ animals: someOf(ANIMAL, MAX_FOUND), next_cursor: NEXT_CURSOR }),
    run: (given, caller) => search(pets, given, caller),
  }),
  defineTool({
    name: 'get_animal',
    description: 'Returns an animal with everything that its shelter says of it.',
    scope: 'pets:read',
    arguments: objectOf({ petId: ANIMAL_ID }, ['petId']),
    result: ANIMAL,
    run: async ({ petId }, caller) => {
      const { json } = await pets.list({ ids: [petId], include: ['profile', 'createdAt'] }, caller);
      const [animal] = parseExactly(json) as Members[];
      if (animal === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
      return animalOf(animal);
    },
  }),
];

async function search(pets: PetsService, given: ValueOf<typeof SEARCH>, caller: Caller): Promise<Members> {
  const query = { status: PetStatus.DEFAULT, limit: USUAL_FOUND, ...given };
  const { json, next } = await pets.list({ ...query, include: ['profile', 'createdAt'] }, caller);
  const animals = (parseExactly(json) as Members[]).map(animalOf);
  return { animals: animals.map(withShortDescription), next_cursor: next };
}

function withShortDescription(animal: Members): Members {
  const { description } = animal;
  if (typeof description !== 'string' || description.length <= MAX_DESCRIPTION) return animal;
  return { ...animal, description: Array.from(description).slice(0, MAX_DESCRIPTION).join('') };
}
