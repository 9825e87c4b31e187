import {
  type NewPet,
  type Pet,
  type PetFilter,
  type PetProfile,
  type PreviousPet,
  traitsOf,
  traitsOfPet,
  wantedTraits,
} from '@petstore/pet-domain';
import type { Column } from '../sql/columns.js';

/*
 * How what animals are found by is kept: `pets.traits` has the traits of name, category and profile, and the words of a
 * description stand beside the profile, together with the same traits. So each search reads one index: its posting lists
 * are compared before any row is read. Words are apart from the animal's row because a change of status, which makes that
 * row and all entries of its indexes anew, is much more frequent than a change of a description.
 */

/** Of `pets`; the elements are those of the domain, no dictionary's. */
export const TRAITS: Column = {
  member: 'traits',
  name: 'traits',
  type: 'tsvector',
  kind: 'text',
  isOptional: false,
};

/** The traits of an animal that a change of its name or category replaces, and those in their place. */
export const REPLACED_TRAITS: readonly Column[] = [
  { ...TRAITS, member: 'oldTraits', name: 'old_traits' },
  { ...TRAITS, member: 'newTraits', name: 'new_traits' },
];

/** SQL of the traits of an animal after a change, see {@link REPLACED_TRAITS}. @param column that keeps them */
export const replaced = (column: string): string =>
  `ts_delete(${column}, tsvector_to_array(old_traits)) || new_traits`;

/** The text of a tsvector, or of a lexeme in a tsquery: anything may be in it. */
const lexeme = (trait: string): string => `'${trait.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

export function tsvector(traits: readonly string[]): string {
  return traits.map(lexeme).join(' ');
}

/** Whether animals are found as before by all but their status. */
export function isFoundAsBefore({ name, categoryId }: PreviousPet): boolean {
  return name === undefined && categoryId === undefined;
}

/** The values of {@link REPLACED_TRAITS} for an animal that has changed. */
export function replacedTraits(pet: Pet, previous: PreviousPet): { oldTraits: string; newTraits: string } {
  if (isFoundAsBefore(previous)) return { oldTraits: '', newTraits: '' };
  const old = { name: previous.name ?? pet.name, categoryId: previous.categoryId ?? pet.categoryId };
  return { oldTraits: tsvector(traitsOfPet(old)), newTraits: tsvector(traitsOfPet(pet)) };
}

/** What an animal with this profile is found by: for `pets`, and for `pet_profiles` if it has a description. */
export function traitsWith(pet: NewPet, profile: PetProfile): { traits: string; words: string | null } {
  const { traits, words } = traitsOf(pet, profile);
  return { traits: tsvector(traits), words: words.length === 0 ? null : tsvector([...words, ...traits]) };
}

/** The text of a tsquery for what a search wants, with its status. */
export function tsquery({ status, ...filter }: PetFilter): string {
  const { traits, prefixes } = wantedTraits(filter);
  return [
    ...(status === undefined ? [] : [lexeme(`status ${status}`)]),
    ...traits.map((any) => `(${any.map(lexeme).join(' | ')})`),
    ...prefixes.map((word) => `${lexeme(word)}:*`),
  ].join(' & ');
}
