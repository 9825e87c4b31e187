import { foldedText } from './folded-text.js';
import { foldedWords } from './folded-words.js';
import type { NewPet } from './pet.js';
import type { PetFilter } from './pet-list.js';
import type { PetProfile, ProfileMembers } from './pet-profile.js';
import { PET_SEARCH, type PetSearch } from './pet-search.js';

/*
 * What animals are found by, as short texts: `species DOG`, `goodWith CHILDREN`, `name REX`. An animal has them, a search
 * wants them, and both are made here, so that neither knows how the other is kept (docs/contract.md, "Searching").
 */

/** What an animal is found by, apart from its status, which changes much more often. */
export interface PetTraits {
  /** Of its name, its category and its profile. */
  readonly traits: readonly string[];
  /** The words of its description. */
  readonly words: readonly string[];
}

/** What a search finds animals by. */
export interface WantedTraits {
  /** Traits of which an animal has one of each list. */
  readonly traits: readonly (readonly string[])[];
  /** Each begins a word of its description. */
  readonly prefixes: readonly string[];
}

type OfProfile = Exclude<keyof PetSearch, 'name' | 'text'>;

/** The member of a profile that a parameter asks for, where it has another name: one of several. */
const LISTS = { breed: 'breeds', color: 'colors' } as const satisfies Partial<
  Record<OfProfile, keyof ProfileMembers>
>;
/** Parameters of a search, and the member of a profile that each of them asks for. */
const PARAMETERS = (Object.keys(PET_SEARCH) as (keyof PetSearch)[])
  .filter((name): name is OfProfile => name !== 'name' && name !== 'text')
  .map((name) => [name, name === 'breed' || name === 'color' ? LISTS[name] : name] as const);

/** Most code points in one trait: 2,046 bytes are the most that PostgreSQL takes. Folding makes some texts longer. */
const MAX_TRAIT = 400;

/** The trait that says this of an animal. One that is too long is said by several, each with its place. */
function traitsFor(parameter: keyof PetFilter, value: string): readonly string[] {
  if (value.length <= MAX_TRAIT) return [`${parameter} ${value}`];
  const points = Array.from(value);
  const count = Math.ceil(points.length / MAX_TRAIT);
  return Array.from({ length: count }, (_, at) => {
    const part = points.slice(at * MAX_TRAIT, (at + 1) * MAX_TRAIT).join('');
    return `${parameter}(${at + 1}/${count}) ${part}`;
  });
}

/** The values of a member of a profile, each of which is found by itself. */
function valuesOf(member: unknown): readonly string[] {
  if (member === undefined) return [];
  if (Array.isArray(member)) return member as readonly string[];
  if (typeof member === 'string' || typeof member === 'boolean') return [String(member)];
  if (typeof member !== 'object' || member === null) return [];
  // Of `goodWith`: that an animal does not get along with somebody cannot be asked for.
  return Object.entries(member).flatMap(([name, isSo]) => (isSo === true ? [name] : []));
}

/** What an animal is found by: the one function that says it. */
export function traitsOf(pet: Pick<NewPet, 'name' | 'categoryId'>, profile: PetProfile): PetTraits {
  const members = JSON.parse(profile) as ProfileMembers;
  const ofProfile = PARAMETERS.flatMap(([parameter, member]) =>
    valuesOf(members[member]).flatMap((value) => traitsFor(parameter, foldedText(value))),
  );
  return {
    traits: [
      ...traitsFor('categoryId', pet.categoryId),
      ...foldedWords(pet.name).flatMap((word) => traitsFor('name', word)),
      ...ofProfile,
    ],
    words: members.description === undefined ? [] : foldedWords(members.description),
  };
}

/** What a search finds animals by, apart from their status. */
export function wantedTraits({ name, text, categoryId, ...search }: PetFilter): WantedTraits {
  const traits: (readonly string[])[] = [];
  // Each of them, or one of them.
  const want = (wanted: readonly string[], isAnyOf = false): void => {
    if (isAnyOf) traits.push(wanted);
    else for (const trait of wanted) traits.push([trait]);
  };
  if (categoryId !== undefined) want(traitsFor('categoryId', categoryId));
  if (name !== undefined) want(foldedWords(name).flatMap((word) => traitsFor('name', word)));
  for (const [parameter] of PARAMETERS) {
    const given = search[parameter];
    if (given === undefined) continue;
    const wanted = [given].flat().flatMap((value) => traitsFor(parameter, foldedText(String(value))));
    // An animal has one sex of those that are given, and gets along with all that are given.
    want(wanted, Array.isArray(given) && parameter !== 'goodWith');
  }
  return { traits, prefixes: text === undefined ? [] : foldedWords(text) };
}
