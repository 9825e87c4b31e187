import { Injectable } from '@nestjs/common';
import { crc32 } from 'node:zlib';
import type { Caller } from '@petstore/api-key';
import { ApiError } from '@petstore/http-server';
import { CategoryId, FreeText, PetId, PetProfile, PetStatus, words } from '@petstore/pet-domain';
import { OPERATION_ERRORS } from '../operations/operation.errors.js';
import { PET_ERRORS } from '../pets/pet.errors.js';
import { PetsService } from '../pets/pets.service.js';
import { flatProfile, PROFILE_PROPERTIES } from './animal-profile.js';
import { cursor, digits, flag, type Given, limit, required, text, word } from './arguments.js';
import {
  COUNT,
  ID,
  listOf,
  type Members,
  NEXT_CURSOR,
  objectOf,
  parseExactly,
  TEXT,
  toSnakeCase,
  withoutDescriptions,
} from './results.js';
import { defineTool, READS, type ToolGroup } from './tool.js';

/** Animals that one call looks at: five pages. */
const MAX_SCANNED = 500;
const PAGE_SIZE = 100;
const MAX_FOUND = 50;
const USUAL_FOUND = 10;

/** An animal as tools give it: its profile is flat beside its own members. */
export const ANIMAL = objectOf(
  { id: ID, name: TEXT, category_id: ID, status: { type: 'string', enum: [...PetStatus.ALL] } },
  withoutDescriptions(PROFILE_PROPERTIES),
);

export const ANIMAL_ID = required(digits('Id of the animal.', PetId));

/** An animal as the contract has it, with its profile beside it. */
interface Animal extends Members {
  readonly id: PetId;
  readonly name: string;
  readonly profile?: Members;
}

/** An animal as tools give it. */
export function animalOf(animal: Members): Members {
  const told: Record<string, unknown> = {};
  for (const name in animal) if (name !== 'profile') told[toSnakeCase(name)] = animal[name];
  return flatProfile((animal['profile'] ?? {}) as Members, told);
}

const FILTERS = {
  species: text('Kind of animal, such as dog or cat; in any case.', FreeText),
  breed: text('One of its breeds, as the shelter writes it; in any case.', FreeText),
  sex: word('Sex.', words(...PetProfile.WORDS.sex)),
  size: word('Size, grown up.', words(...PetProfile.WORDS.size)),
  age_group: word('Age.', words(...PetProfile.WORDS.ageGroup)),
  good_with_children: flag('Known to get along with children; false: known not to.'),
  good_with_dogs: flag('Known to get along with dogs; false: known not to.'),
  good_with_cats: flag('Known to get along with cats; false: known not to.'),
  text: text('Part of the name or the description; in any case.', FreeText),
};

const SEARCH = {
  status: word(`Availability; ${PetStatus.DEFAULT} unless given.`, PetStatus),
  category_id: digits('Only animals of this category.', CategoryId),
  ...FILTERS,
  limit: limit(MAX_FOUND, USUAL_FOUND),
  cursor: cursor((sent) => /^([0-9a-z]+)-([0-9]+)$/.exec(sent) ?? undefined),
};
type Search = Given<typeof SEARCH>;

/** Finding animals. */
@Injectable()
export class AnimalTools implements ToolGroup {
  constructor(private readonly pets: PetsService) {}

  readonly tools = [
    defineTool({
      name: 'search_animals',
      description: `Finds animals, newest first. One call looks at up to ${MAX_SCANNED} animals and says how many (scanned); with next_cursor there are more to look at, even when none was found yet. What a shelter has not said of an animal matches no filter.`,
      scope: 'pets:read',
      hints: READS,
      arguments: SEARCH,
      result: objectOf({ animals: listOf(ANIMAL), scanned: COUNT }, { next_cursor: NEXT_CURSOR }),
      run: (search, caller) => this.search(search, caller),
    }),
    defineTool({
      name: 'get_animal',
      description: 'Returns an animal with everything that its shelter says of it.',
      scope: 'pets:read',
      hints: READS,
      arguments: { animal_id: ANIMAL_ID },
      result: ANIMAL,
      run: async ({ animal_id: id }, caller) => {
        const { json } = await this.pets.list({ ids: [id], include: 'profile' }, caller);
        const [animal] = parseExactly(json) as Animal[];
        if (animal === undefined) throw new ApiError(PET_ERRORS.pet_not_found);
        return animalOf(animal);
      },
    }),
  ];

  private async search(search: Search, caller: Caller): Promise<Members> {
    const { status = PetStatus.DEFAULT, category_id: categoryId, limit: most = USUAL_FOUND } = search;
    const filter = { status, filter: categoryId };
    const matches = matcherOf(search);
    const found: Animal[] = [];
    let before = positionIn(search);
    let scanned = 0;
    let more = true;
    while (more && found.length < most && scanned < MAX_SCANNED) {
      const page = await this.pets.list(
        {
          status,
          // Without a filter every animal is one.
          limit: matches === undefined ? most : PAGE_SIZE,
          include: 'profile',
          ...(categoryId !== undefined && { categoryId }),
          ...(before !== undefined && { cursor: { ...filter, before } }),
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
    return {
      animals: found.map(animalOf),
      scanned,
      ...(more && before !== undefined && { next_cursor: `${checkOf(search, before)}-${before}` }),
    };
  }
}

/** Where a search goes on. @throws ApiError `invalid_cursor` for one of other arguments */
function positionIn(search: Search): PetId | undefined {
  const [, check, id = ''] = search.cursor ?? [];
  if (check === undefined) return undefined;
  const before = PetId.parse(id);
  if (before === undefined || checkOf(search, before) !== check)
    throw new ApiError(OPERATION_ERRORS.invalid_cursor);
  return before;
}

/** Binds a cursor to what is searched; no secret, as everything that a forged one leads to is shown anyway. */
function checkOf({ limit: _limit, cursor: _cursor, ...search }: Search, before: PetId): string {
  const { status = PetStatus.DEFAULT, ...others } = search;
  return crc32(JSON.stringify([status, Object.entries(others).sort(), before])).toString(36);
}

/** Whether an animal is what is searched; `undefined` when nothing of its profile is. */
function matcherOf(search: Search): ((animal: Animal) => boolean) | undefined {
  // In capitals: small letters depend on their place in a word (ς), and some have none of one letter (ß).
  const folded = (value: unknown): string => String(value).normalize('NFC').toUpperCase();
  const { species, breed, sex, size, age_group: ageGroup, text: part } = search;
  const goodWith = (['children', 'dogs', 'cats'] as const).map(
    (whom) => [whom, search[`good_with_${whom}`]] as const,
  );
  if (Object.keys(FILTERS).every((name) => search[name as keyof Search] === undefined)) return undefined;
  return ({ name, profile = {} }) =>
    (sex === undefined || profile['sex'] === sex) &&
    (size === undefined || profile['size'] === size) &&
    (ageGroup === undefined || profile['ageGroup'] === ageGroup) &&
    goodWith.every(
      ([whom, is]) => is === undefined || (profile['goodWith'] as Members | undefined)?.[whom] === is,
    ) &&
    (species === undefined || folded(profile['species'] ?? '') === folded(species)) &&
    (breed === undefined ||
      ((profile['breeds'] ?? []) as readonly string[]).some((each) => folded(each) === folded(breed))) &&
    (part === undefined ||
      [name, profile['description'] ?? ''].some((each) => folded(each).includes(folded(part))));
}
