import { ApiError, type SchemaObject } from '@petstore/http-server';
import { type Day, FreeText, InvalidProfileError, PetProfile } from '@petstore/pet-domain';
import type { Argument } from './arguments.js';
import { type Members, toSnakeCase } from './results.js';

const text = (description: string, maxLength: number = FreeText.MAX_CODE_POINTS): SchemaObject => ({
  type: 'string',
  maxLength,
  description,
});
const flag = (description: string): SchemaObject => ({ type: 'boolean', description });
const word = (words: readonly string[], description: string): SchemaObject => ({
  type: 'string',
  enum: [...words],
  description,
});
const texts = (maxItems: number, description: string): SchemaObject => ({
  type: 'array',
  items: { type: 'string' },
  maxItems,
  description,
});

/** The members of a profile as tools have them, flat, in the declared order. What is allowed is the domain's to say. */
export const PROFILE_PROPERTIES: Readonly<Record<string, SchemaObject>> = {
  species: text('Kind of animal: dog, cat, rabbit, whatever the shelter has.'),
  breeds: texts(PetProfile.MAX_BREEDS, 'The main breed first.'),
  mixed_breed: flag('Whether it is a mix of breeds.'),
  age_group: word(PetProfile.WORDS.ageGroup, 'Does not follow from born_on; prefer that to tell an age.'),
  born_on: text('Day of birth, which may be a guess: YYYY-MM-DD.', 10),
  sex: word(PetProfile.WORDS.sex, 'Sex.'),
  size: word(PetProfile.WORDS.size, 'Size, grown up.'),
  coat: word(PetProfile.WORDS.coat, 'Coat.'),
  colors: texts(PetProfile.MAX_COLORS, 'Colours, the main one first.'),
  description: text('Plain text for adopters; lines end with a line feed.', PetProfile.MAX_DESCRIPTION),
  good_with_children: flag('Whether it gets along with children.'),
  good_with_dogs: flag('Whether it gets along with dogs.'),
  good_with_cats: flag('Whether it gets along with cats.'),
  spayed_neutered: flag('Whether it is spayed or neutered.'),
  house_trained: flag('Whether it is house-trained.'),
  vaccinated: flag('Whether its vaccinations are up to date.'),
  special_needs: flag('Whether it has special needs.'),
  adoption_fee_amount: text(
    'What an adopter pays, as a decimal number: "120.00"; "0" is free of charge.',
    14,
  ),
  adoption_fee_currency: text('Three capital letters, as in ISO 4217; goes with the amount.', 3),
  location: text('Where it can be seen.'),
  reference: text('The number that the shelter gave it.'),
  page: text('Its page at the shelter: https://...', 2_048),
  photos: texts(PetProfile.MAX_PHOTOS, 'Addresses of photos, https://..., the best first, all different.'),
  photo_descriptions: texts(
    PetProfile.MAX_PHOTOS,
    'What the photos show, in their order, for people who do not see them; "" for none.',
  ),
};

export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILE_PROPERTIES);

/** The members of a profile as arguments, which {@link profileOf} checks together. */
export const PROFILE_ARGUMENTS: Readonly<Record<string, Argument<unknown, false>>> = Object.fromEntries(
  Object.entries(PROFILE_PROPERTIES).map(([name, schema]) => [
    name,
    { schema, EXPECTED: `left out rather than null`, parse: (sent) => sent, isRequired: false },
  ]),
);

/** Objects of a profile whose members tools have one by one. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  goodWith: ['children', 'dogs', 'cats'],
  adoptionFee: ['amount', 'currency'],
};
const NESTED_NAMES = Object.entries(NESTED).flatMap(([object, members]) =>
  members.map((member) => [`${toSnakeCase(object)}_${member}`, object, member] as const),
);

/** Those of some arguments that are members of a profile. */
export function profileArgumentsOf(given: Members): Members {
  return Object.fromEntries(PROFILE_NAMES.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
}

interface Photo {
  readonly url: string;
  readonly description?: string;
}

/** A profile as tools have it. @param profile as the contract has it */
export function flatProfile({ photos, ...members }: Members): Members {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    const nested = NESTED[name];
    if (nested === undefined) flat[toSnakeCase(name)] = value;
    else
      for (const member of Object.keys(Object(value)))
        flat[`${toSnakeCase(name)}_${member}`] = (value as Members)[member];
  }
  if (photos === undefined) return flat;
  const all = photos as readonly Photo[];
  flat['photos'] = all.map(({ url }) => url);
  if (all.some(({ description }) => description !== undefined))
    flat['photo_descriptions'] = all.map(({ description = '' }) => description);
  return flat;
}

/**
 * The profile that these members are, checked.
 *
 * @param flat as tools have them
 * @param latestBirth the last day on which an animal may be born
 * @throws ApiError `validation_failed` that names the first member that is wrong
 */
export function profileOf(flat: Members, latestBirth: Day): PetProfile {
  const { photos, photo_descriptions: descriptions, ...others } = flat;
  const members: Record<string, unknown> = {};
  for (const name of PetProfile.MEMBERS) members[name] = others[toSnakeCase(name)];
  for (const [name, object, member] of NESTED_NAMES)
    if (others[name] !== undefined)
      members[object] = { ...(members[object] as Members | undefined), [member]: others[name] };
  members['photos'] = photosOf(photos, descriptions);
  try {
    return PetProfile.of(members, latestBirth);
  } catch (error) {
    if (error instanceof InvalidProfileError) throw refusal(`${flatPath(error.path)} ${error.problem}`);
    throw error;
  }
}

/** Photos as the contract has them; what is no list stays as it is, for the domain to refuse. */
function photosOf(photos: unknown, descriptions: unknown): unknown {
  if (photos !== undefined && !Array.isArray(photos)) return photos;
  if (descriptions !== undefined) {
    const isList = Array.isArray(descriptions) && descriptions.every((each) => typeof each === 'string');
    if (!isList) throw refusal('photo_descriptions must be a list of texts, in the order of photos');
    if (descriptions.length > (photos?.length ?? 0))
      throw refusal('photo_descriptions must not have more items than photos');
  }
  return photos?.map((url: unknown, at) => ({
    url,
    description: (descriptions as readonly string[] | undefined)?.[at] || undefined,
  }));
}

/** `photos[3].description` of the contract is `photo_descriptions[3]` of a tool. */
function flatPath(path: string): string {
  return toSnakeCase(
    path
      .replace(/^photos(.*)\.description$/, 'photo_descriptions$1')
      .replace(/^photos(.*)\.url$/, 'photos$1')
      .replace('.', '_'),
  );
}

function refusal(problem: string): ApiError {
  return new ApiError('validation_failed', { message: `${problem.replaceAll('.url', '')}.` });
}
