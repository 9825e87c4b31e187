import { ApiError } from '@petstore/http-server';
import { addDescribedPets, type UnitOfWork } from '@petstore/persistence';
import {
  CategoryId,
  described,
  FLAT_FIELDS,
  flatten,
  listOf,
  NEW_PET_FIELDS,
  type NewPet,
  objectOf,
  type Pet,
  PetId,
  petJson,
  PetName,
  type PetPatch,
  PetProfile,
  PetStatus,
  text,
  TRUE_OR_FALSE,
} from '@petstore/pet-domain';
import type { LinkBuilder } from '../operations/link-builder.js';
import { changeProfile, patchPet, type PetsService } from '../pets/pets.service.js';
import { animalOf, PROFILE_MEMBERS, profileArgumentsOf, profileOf } from './animal-profile.js';
import { ANIMAL, ANIMAL_ID } from './animals.tools.js';
import { digits, IDEMPOTENCY_KEY } from './arguments.js';
import { type Members, parseExactly, resultWith, toSnakeCase } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** What a person dictates is seen by adopters once somebody has looked at it. */
const STATUS_OF_NEW: PetStatus = 'pending';

/** The members of an animal as arguments. */
const PET_ARGUMENTS = {
  ...NEW_PET_FIELDS,
  categoryId: digits(CategoryId, 'Id of its category; list_categories names them.'),
};

/** Those of some arguments that are members of an animal. */
const petArgumentsOf = (given: PetPatch): PetPatch =>
  Object.fromEntries(Object.keys(NEW_PET_FIELDS).map((name) => [name, given[name as keyof NewPet]]));

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

/** Adding, changing and removing animals: an animal and its profile in one transaction, where HTTP has two requests. */
export const animalChangeTools = (
  pets: PetsService,
  unitOfWork: UnitOfWork,
  links: LinkBuilder,
): readonly Tool[] => [
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
      const wanted = { ...petArgumentsOf({ status: STATUS_OF_NEW, ...given }) } as NewPet;
      const profile = profileOf(profileArgumentsOf(given));
      const { json } = await unitOfWork.run((tx) =>
        tx.idempotentRequests.once(key, { ...wanted, profile }, async () => {
          const [pet] = (await addDescribedPets(tx, [{ pet: wanted, profile }])) as [Pet];
          return {
            json: describedJson(pet, await tx.pets.createdAtOf(pet), profile),
            location: links.to(`/pets/${pet.id}`),
          };
        }),
      );
      return animalOf(parseExactly(json) as Members);
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
      const changed = await unitOfWork.run(
        async (tx) => {
          const pet = await patchPet(tx, petId, petArgumentsOf(all));
          const current = await tx.pets.profileOf(pet);
          const isKept = Object.keys(given).length + clear.length === 0;
          const profile = isKept ? current : profileOf(merged(current, given, clear));
          await changeProfile(tx, pet, current, profile);
          return describedJson(pet, await tx.pets.createdAtOf(pet), profile);
        },
        { serialize: `pet ${petId}` },
      );
      return animalOf(parseExactly(changed) as Members);
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
    result: resultWith({ id: PetId, removed: TRUE_OR_FALSE }),
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
  const after = new Map<string, unknown>();
  flatten(JSON.parse(current) as Members, (name, value) => after.set(name, value));
  // Descriptions belong to their photos: with a new list of these, each photo keeps its own.
  const [urls = [], descriptions] = [after.get('photos'), after.get('photoDescriptions')] as string[][];
  if (Array.isArray(given['photos']) && descriptions !== undefined)
    after.set(
      'photoDescriptions',
      given['photos'].map((url) => descriptions[urls.indexOf(url as string)] ?? ''),
    );
  if (cleared.includes('photos')) after.delete('photoDescriptions');
  for (const name of cleared) after.delete(name);
  return { ...Object.fromEntries(after), ...given };
}

/** JSON of an animal with its profile, as lists have it. */
function describedJson(pet: Pet, createdAt: string, profile: PetProfile): string {
  return `${petJson(pet).slice(0, -1)},"createdAt":"${createdAt}","profile":${profile}}`;
}
