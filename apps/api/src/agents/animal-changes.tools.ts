import { Injectable } from '@nestjs/common';
import { ApiError } from '@petstore/http-server';
import { CategoryId, PetName, PetStatus, words } from '@petstore/pet-domain';
import { PetsService } from '../pets/pets.service.js';
import { PROFILE_ARGUMENTS, PROFILE_NAMES, profileArgumentsOf } from './animal-profile.js';
import { ANIMAL, ANIMAL_ID, animalOf } from './animals.tools.js';
import {
  type Argument,
  digits,
  IDEMPOTENCY_KEY,
  idempotencyKeyOf,
  required,
  text,
  word,
} from './arguments.js';
import { DescribedAnimals } from './described-animals.js';
import { ID, type Members, objectOf, parseExactly } from './results.js';
import { ADDS, CHANGES, defineTool, type ToolGroup } from './tool.js';

const NAME = text("The animal's name.", PetName);
const CATEGORY_ID = digits('Id of its category; list_categories names them.', CategoryId);
/** What a person dictates is seen by adopters once somebody has looked at it. */
const STATUS_OF_NEW: PetStatus = 'pending';

const profileWord = words(...PROFILE_NAMES);
const CLEAR: Argument<readonly string[], false> = {
  schema: {
    type: 'array',
    items: { type: 'string', enum: [...PROFILE_NAMES] },
    description: 'What is no longer known of the animal.',
  },
  EXPECTED: `a list of names of what a profile has: ${PROFILE_NAMES.join(', ')}`,
  parse: (sent) =>
    Array.isArray(sent) && sent.every((name) => typeof name === 'string' && profileWord.parse(name) === name)
      ? sent
      : undefined,
  isRequired: false,
};

/** Adding, changing and removing animals. */
@Injectable()
export class AnimalChangeTools implements ToolGroup {
  constructor(
    private readonly pets: PetsService,
    private readonly animals: DescribedAnimals,
  ) {}

  readonly tools = [
    defineTool({
      name: 'add_animal',
      description: `Adds an animal with what is known of it. It is ${STATUS_OF_NEW} unless a status is given: adopters find it once it is available.`,
      scope: 'pets:write',
      hints: ADDS,
      arguments: {
        name: required(NAME),
        category_id: required(CATEGORY_ID),
        status: word(`Availability; ${STATUS_OF_NEW} unless given.`, PetStatus),
        ...PROFILE_ARGUMENTS,
        idempotency_key: IDEMPOTENCY_KEY,
      },
      result: ANIMAL,
      run: async (given, caller) => {
        const { name, category_id: categoryId, status = STATUS_OF_NEW } = given;
        const key = idempotencyKeyOf(given, 'add_animal', caller);
        return describedAnimal(
          await this.animals.add({ name, categoryId, status }, profileArgumentsOf(given), key),
        );
      },
    }),
    defineTool({
      name: 'change_animal',
      description:
        'Changes what is given of an animal, all of it or nothing; the rest stays as it is. An animal that an order holds changes its status with the order only.',
      scope: 'pets:write',
      hints: CHANGES,
      arguments: {
        animal_id: ANIMAL_ID,
        name: NAME,
        category_id: CATEGORY_ID,
        status: word('Availability.', PetStatus),
        ...PROFILE_ARGUMENTS,
        clear: CLEAR,
      },
      result: ANIMAL,
      run: async (all) => {
        const { animal_id: id, name, category_id: categoryId, status, clear: cleared = [] } = all;
        const given = profileArgumentsOf(all);
        const both = cleared.find((each) => each in given);
        if (both !== undefined)
          throw new ApiError('validation_failed', { message: `${both} must not be both given and cleared.` });
        return describedAnimal(
          await this.animals.change(id, { name, categoryId, status }, { given, cleared }),
        );
      },
    }),
    defineTool({
      name: 'remove_animal',
      description:
        'Removes an animal for ever. Ask the person first, and send its name as well, exactly as it is written.',
      scope: 'pets:write',
      hints: CHANGES,
      arguments: { animal_id: ANIMAL_ID, name: required(text("The animal's name, exactly.", PetName)) },
      result: objectOf({ id: ID, removed: { type: 'boolean' } }),
      run: async ({ animal_id: id, name }) => {
        const requireFor = (json: string | undefined): void => {
          requireName(json, name);
        };
        await this.pets.delete(id, { requireFor });
        return { id, removed: true };
      },
    }),
  ];
}

function describedAnimal(json: string): Members {
  const { pet, profile } = parseExactly(json) as { readonly pet: Members; readonly profile: Members };
  return animalOf({ ...pet, profile });
}

/** @param json of the animal, which is locked */
function requireName(json: string | undefined, name: PetName): void {
  const animal = JSON.parse(json ?? '{}') as { readonly name?: string };
  if (animal.name !== name)
    throw new ApiError('validation_failed', { message: 'name is not the name of this animal.' });
}
