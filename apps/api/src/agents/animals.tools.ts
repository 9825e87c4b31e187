import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import {
  CategoryId,
  foldedText,
  FreeText,
  PET_FIELDS,
  PetId,
  PetProfile,
  PetStatus,
  stringEnum,
  TRUE_OR_FALSE,
} from '@petstore/pet-domain';
import { Cursor } from '../lists/cursor.js';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { PET_ERRORS } from '../pets/pet.errors.js';
import { PET_LIST } from '../pets/pets.list.js';
import type { PetsService } from '../pets/pets.service.js';
import { animalOf, PROFILE_MEMBERS } from './animal-profile.js';
import { argument, cursor, digits, type Given, limit, required } from './arguments.js';
import { COUNT, type Members, NEXT_CURSOR, parseExactly, resourceOf, resultWith, someOf } from './results.js';
import { defineTool, type Tool } from './tool.js';

/** Animals that one call looks at: five pages. */
const MAX_SCANNED = 500;
const PAGE_SIZE = 100;
const MAX_FOUND = 50;
const USUAL_FOUND = 10;

/** An animal as tools give it: its profile is flat beside its own members. */
export const ANIMAL = resourceOf(PET_FIELDS, {}, PROFILE_MEMBERS);

export const ANIMAL_ID = required(digits(PetId, 'Id of the animal.'));

/** An animal as the contract has it, with its profile beside it. */
interface Animal extends Members {
  readonly id: PetId;
  readonly name: string;
  readonly profile?: Members;
}

/** The members of `goodWith`, each with its argument. */
const GOOD_WITH = { children: 'goodWithChildren', dogs: 'goodWithDogs', cats: 'goodWithCats' } as const;
const known = (whom: string) =>
  argument(TRUE_OR_FALSE, `Known to get along with ${whom}; false: known not to.`);

const FILTERS = {
  species: argument(FreeText, 'Kind of animal, such as dog or cat; in any case.'),
  breed: argument(FreeText, 'One of its breeds, as the shelter writes it; in any case.'),
  sex: argument(stringEnum(...PetProfile.FIELDS.sex.ALL), 'Sex.'),
  size: argument(stringEnum(...PetProfile.FIELDS.size.ALL), 'Size, grown up.'),
  ageGroup: argument(stringEnum(...PetProfile.FIELDS.ageGroup.ALL), 'Age.'),
  goodWithChildren: known('children'),
  goodWithDogs: known('dogs'),
  goodWithCats: known('cats'),
  text: argument(FreeText, 'Part of the name or the description; in any case.'),
};

const SEARCH = {
  status: argument(PetStatus, `Availability; ${PetStatus.DEFAULT} unless given.`),
  categoryId: digits(CategoryId, 'Only animals of this category.'),
  ...FILTERS,
  limit: limit(MAX_FOUND, USUAL_FOUND),
  cursor: cursor<PetId>(),
};
type Search = Given<typeof SEARCH>;

/** Finding animals. */
export const animalTools = (pets: PetsService): readonly Tool[] => [
  defineTool({
    name: 'search_animals',
    description: `Finds animals, newest first. One call looks at up to ${MAX_SCANNED} animals and says how many (scanned); with next_cursor there are more to look at, even when none was found yet. What a shelter has not said of an animal matches no filter.`,
    scope: 'pets:read',
    arguments: SEARCH,
    result: resultWith({ animals: someOf(ANIMAL, MAX_FOUND), scanned: COUNT }, { next_cursor: NEXT_CURSOR }),
    run: (given, caller) => search(pets, given, caller),
  }),
  defineTool({
    name: 'get_animal',
    description: 'Returns an animal with everything that its shelter says of it.',
    scope: 'pets:read',
    arguments: { petId: ANIMAL_ID },
    result: ANIMAL,
    run: async ({ petId }, caller) => {
      const { json } = await pets.list({ ids: [petId], include: ['profile'] }, caller);
      const [animal] = parseExactly(json) as Animal[];
      if (animal === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
      return animalOf(animal);
    },
  }),
];

async function search(pets: PetsService, given: Search, caller: Caller): Promise<Members> {
  const { status = PetStatus.DEFAULT, categoryId, limit: most = USUAL_FOUND } = given;
  const matches = matcherOf(given);
  const found: Animal[] = [];
  const list = listOfSearch(given);
  let before = given.cursor && Cursor.decode(given.cursor, list);
  if (given.cursor !== undefined && before === undefined) throw new ApiError(OPERATION_ERRORS.invalid_cursor);
  let scanned = 0;
  let more = true;
  while (more && found.length < most && scanned < MAX_SCANNED) {
    const page = await pets.list(
      {
        status,
        // Without a filter every animal is one.
        limit: matches === undefined ? most : PAGE_SIZE,
        include: ['profile'],
        categoryId,
        cursor: before && PET_LIST.cursorAt(before, { status, categoryId }),
      },
      caller,
    );
    const animals = parseExactly(page.json) as Animal[];
    more = page.next !== undefined;
    for (const [at, animal] of animals.entries()) {
      scanned++;
      before = animal.id;
      if (matches?.(animal) !== false) found.push(animal);
      if (found.length < most) continue;
      more ||= at + 1 < animals.length;
      break;
    }
  }
  const next = more && before !== undefined ? Cursor.encode(before, list) : undefined;
  return { animals: found.map(animalOf), scanned, next_cursor: next };
}

/** What is searched, to which a cursor belongs. */
function listOfSearch({ limit: _limit, cursor: _cursor, ...filters }: Search): string {
  const all = Object.entries({ status: PetStatus.DEFAULT, ...filters }).sort();
  return `search ${JSON.stringify(all)}`;
}

/** Whether an animal is what is searched; `undefined` when nothing of its profile is. */
function matcherOf(given: Search): ((animal: Animal) => boolean) | undefined {
  if (Object.keys(FILTERS).every((name) => given[name as keyof Search] === undefined)) return undefined;
  const { species, breed, text: part } = given;
  const matches = <T>(wanted: T | undefined, of: (wanted: T) => boolean): boolean =>
    wanted === undefined || of(wanted);
  const folded = (value: unknown = ''): string => foldedText(String(value));
  return ({ name, profile = {} }) => {
    const { breeds = [], goodWith = {} } = profile as { breeds?: readonly string[]; goodWith?: Members };
    return (
      (['sex', 'size', 'ageGroup'] as const).every((member) =>
        matches(given[member], (wanted) => profile[member] === wanted),
      ) &&
      Object.entries(GOOD_WITH).every(([whom, argument]) =>
        matches(given[argument], (wanted) => goodWith[whom] === wanted),
      ) &&
      matches(species, (wanted) => folded(profile['species']) === folded(wanted)) &&
      matches(breed, (wanted) => breeds.some((each) => folded(each) === folded(wanted))) &&
      matches(part, (wanted) =>
        [name, profile['description']].some((each) => folded(each).includes(folded(wanted))),
      )
    );
  };
}
