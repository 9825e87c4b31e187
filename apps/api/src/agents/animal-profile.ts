import { ApiError, type SchemaObject } from '@petstore/http-server';
import { type Day, InvalidProfileError, PetProfile } from '@petstore/pet-domain';
import { PROFILE_MEMBERS } from '../profiles/profile.dto.js';
import type { Argument } from './arguments.js';
import { type Members, toSnakeCase } from './results.js';

/** A schema of the contract, as a model reads it: patterns only cost it attention, and names are in snake_case. */
function toolSchema(documented: SchemaObject, { description = '' }: SchemaObject = documented): SchemaObject {
  const { type, enum: words, maxItems, maxLength } = documented;
  return {
    type,
    description: description.replace(/`(\w+)`/g, (_quoted, name: string) => toSnakeCase(name)),
    ...(words && { enum: words }),
    ...(maxLength !== undefined && { maxLength }),
    ...(type === 'array' && { maxItems, items: { type: 'string' } }),
  } as SchemaObject;
}

const DOCUMENTED = Object.entries(PROFILE_MEMBERS as unknown as Readonly<Record<string, SchemaObject>>);
/** Objects of a profile, by name, whose members tools have one by one. */
const NESTED_IN = new Map(
  DOCUMENTED.filter(([, { properties }]) => properties !== undefined).map(([object, schema]) => {
    const members = Object.entries<SchemaObject>(schema.properties as Record<string, SchemaObject>);
    const nested = members.map(([member, inner]) => ({
      name: `${toSnakeCase(object)}_${member}`,
      object,
      member,
      schema: toolSchema(inner, { ...schema, ...inner }),
    }));
    return [object, nested] as const;
  }),
);
const NESTED = [...NESTED_IN.values()].flat();

/** The members of a profile as tools have them, flat, in the declared order. */
export const PROFILE_PROPERTIES: Readonly<Record<string, SchemaObject>> = Object.fromEntries([
  ...DOCUMENTED.flatMap(([name, schema]) => {
    const nested = NESTED_IN.get(name);
    if (nested === undefined) return [[toSnakeCase(name), toolSchema(schema)] as const];
    return nested.map((each) => [each.name, each.schema] as const);
  }),
  [
    'photo_descriptions',
    {
      type: 'array',
      maxItems: PetProfile.MAX_PHOTOS,
      items: { type: 'string' },
      description: 'What the photos show, in their order, for people who do not see them; "" for none.',
    },
  ],
]);

export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILE_PROPERTIES);

/** The members of a profile as arguments. What is allowed is the domain's to say, by {@link profileOf}. */
export const PROFILE_ARGUMENTS: Readonly<Record<string, Argument<unknown, false>>> = Object.fromEntries(
  Object.entries(PROFILE_PROPERTIES).map(([name, schema]) => [
    name,
    { schema, EXPECTED: 'left out rather than null', parse: (sent) => sent, isRequired: false },
  ]),
);

/** Those of some arguments that are members of a profile. */
export function profileArgumentsOf(given: Members): Members {
  return Object.fromEntries(PROFILE_NAMES.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
}

interface Photo {
  readonly url: string;
  readonly description?: string;
}

/**
 * A profile as tools have it. Called for each animal that is found, so that it makes one object of it.
 *
 * @param profile as the contract has it
 * @param flat gets its members
 */
export function flatProfile(profile: Members, flat: Record<string, unknown> = {}): Members {
  for (const name in profile) {
    const value = profile[name];
    if (name === 'photos') addPhotos(flat, value as readonly Photo[]);
    else if (NESTED_IN.has(name)) addNested(flat, name, value as Members);
    else flat[toSnakeCase(name)] = value;
  }
  return flat;
}

function addNested(flat: Record<string, unknown>, object: string, value: Members): void {
  for (const { name, member } of NESTED_IN.get(object) ?? []) if (member in value) flat[name] = value[member];
}

function addPhotos(flat: Record<string, unknown>, photos: readonly Photo[]): void {
  flat['photos'] = photos.map(({ url }) => url);
  if (photos.some(({ description }) => description !== undefined))
    flat['photo_descriptions'] = photos.map(({ description = '' }) => description);
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
  for (const { name, object, member } of NESTED)
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
  return photos?.map((url: unknown, at) => {
    const description = (descriptions as readonly string[] | undefined)?.[at];
    return { url, description: description === '' ? undefined : description };
  });
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
