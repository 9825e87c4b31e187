import { type NewPet, type PetFilter, type PetProfile, traitsOf, wantedTraits } from '@petstore/pet-domain';
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
/** Of `pet_profiles`. */
export const WORDS: Column = { ...TRAITS, member: 'words', name: 'words', isOptional: true };

/** The text of a tsvector, or of a lexeme in a tsquery: anything may be in it. */
const lexeme = (trait: string): string => `'${trait.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

function tsvector(traits: readonly string[]): string {
  return traits.map(lexeme).join(' ');
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
