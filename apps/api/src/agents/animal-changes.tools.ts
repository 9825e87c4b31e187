import { ApiError } from '@petstore/http-server';
import {
  CategoryId,
  described,
  FLAT_FIELDS,
  flatten,
  listOf,
  type Members,
  NEW_PET_FIELDS,
  type NewPet,
  objectOf,
  PetId,
  PetName,
  type PetPatch,
  PetProfile,
  PetStatus,
  resourceOf,
  text,
  TRUE_OR_FALSE,
} from '@petstore/pet-domain';
import type { PetsService } from '../pets/pets.service.js';
import { animalIn, picked, PROFILE_MEMBERS, profileArgumentsOf, profileOf } from './animal-profile.js';
import { ANIMAL, ANIMAL_ID } from './animals.tools.js';
import { digits, IDEMPOTENCY_KEY } from './arguments.js';
import { toSnakeCase } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** What a person dictates is seen by adopters once somebody has looked at it. */
const STATUS_OF_NEW: PetStatus = 'pending';

/** The members of an animal as arguments. */
const PET_ARGUMENTS = {
  ...NEW_PET_FIELDS,
  categoryId: digits(CategoryId, 'Id of its category; list_categories names them.'),
};

/** Those of some arguments that are members of an animal. */
const petArgumentsOf = (given: PetPatch): PetPatch => picked(given, Object.keys(NEW_PET_FIELDS));

/** Names may repeat. */
const MOST_CLEARED = 100;
const CLEARABLE = new Map(FLAT_FIELDS.map(({ name }) => [toSnakeCase(name), name]));
const CLEAR = described(
  listOf(
    text({
      description: `the name of what a profile has: ${[...CLEARABLE.keys()].join(', ')}`,
      parse: (name) => CLEARABLE.get(name),
      schema: { enum: [...CLEARABLE.keys()] },
    }),
    { least: 0, most: MOST_CLEARED, description: 'a list of names of what a profile has' },
  ),
  'What is no longer known of the animal.',
);

/** Adding, changing and removing animals: an animal and its profile together, where HTTP has two requests. */
export const animalChangeTools = (pets: PetsService): readonly Tool[] => [
  defineTool({
    name: 'add_animal',
    description: `Adds an animal with what is known of it. It is ${STATUS_OF_NEW} unless a status is given: adopters find it once it is available.`,
    scope: 'pets:write',
    arguments: objectOf(
      {
        ...PET_ARGUMENTS,
        status: described(PetStatus, `Availability; ${STATUS_OF_NEW} unless given.`),
        ...PROFILE_MEMBERS,
        idempotencyKey: IDEMPOTENCY_KEY,
      },
      ['name', 'categoryId'],
    ),
    result: ANIMAL,
    run: async (given, _caller, key) => {
      const pet = petArgumentsOf({ status: STATUS_OF_NEW, ...given }) as NewPet;
      const profile = profileOf(profileArgumentsOf(given));
      return animalIn((await pets.createDescribed({ pet, profile }, key)).json);
    },
  }),
  defineTool({
    name: 'change_animal',
    description:
      'Changes what is given of an animal, all of it or nothing; the rest stays as it is. An animal that an order holds changes its status with the order only.',
    scope: 'pets:write',
    arguments: objectOf({ petId: ANIMAL_ID, ...PET_ARGUMENTS, ...PROFILE_MEMBERS, clear: CLEAR }, ['petId']),
    result: ANIMAL,
    run: async ({ petId, clear = [], ...all }) => {
      const given = profileArgumentsOf(all);
      const both = clear.find((name) => name in given);
      if (both !== undefined)
        throw new ApiError('validation_failed', {
          message: `${toSnakeCase(both)} must not be both given and cleared.`,
        });
      const isKept = Object.keys(given).length + clear.length === 0;
      const describe = (current: PetProfile): PetProfile =>
        isKept ? current : profileOf(merged(current, given, clear));
      return animalIn(await pets.changeDescribed(petId, petArgumentsOf(all), describe));
    },
  }),
  defineTool({
    name: 'remove_animal',
    description:
      'Removes an animal for ever. Ask the person first, and send its name as well, exactly as it is written.',
    scope: 'pets:write',
    arguments: objectOf({ petId: ANIMAL_ID, name: described(PetName, "The animal's name, exactly.") }, [
      'petId',
      'name',
    ]),
    result: resourceOf({ id: PetId, removed: TRUE_OR_FALSE }),
    run: async ({ petId, name }) => {
      await pets.delete(petId, {
        requireFor: (json = '{}') => {
          if ((JSON.parse(json) as Members)['name'] !== name)
            throw new ApiError('validation_failed', { message: 'name is not the name of this animal.' });
        },
      });
      return { id: petId, removed: true };
    },
  }),
];

/** The flat members of a profile after a change. */
function merged(current: PetProfile, given: Members, cleared: readonly string[]): Members {
  const flat: Record<string, unknown> = { ...flatten(JSON.parse(current) as Members) };
  const [urls = [], descriptions = []] = [flat['photos'], flat['photoDescriptions']] as string[][];
  // Descriptions belong to their photos: with a new list of these, each photo keeps its own.
  if (Array.isArray(given['photos']))
    flat['photoDescriptions'] = given['photos'].map((url: string) => descriptions[urls.indexOf(url)] ?? '');
  const gone = cleared.includes('photos') ? [...cleared, 'photoDescriptions'] : cleared;
  const kept = Object.entries(flat).filter(([name]) => !gone.includes(name));
  return { ...Object.fromEntries(kept), ...given };
}
