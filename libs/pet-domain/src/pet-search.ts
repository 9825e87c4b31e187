import { foldedText } from './folded-text.js';
import { foldedWords } from './folded-words.js';
import { FreeText } from './free-text.js';
import { PetProfile } from './pet-profile.js';
import { described, type StringEnum, type TextValue, type ValueOf } from './value.js';
import { setOf, text, TRUE_OR_FALSE } from './values.js';

/** Most different words of a text that is searched by its words. */
const MAX_WORDS = 10;

/** A text that is compared in any case: something must be left of it. */
const inAnyCase = searched(FreeText.description, (sent) => foldedText(sent) !== '');

/** A text that is searched by its words. */
const byWords = searched(`${FreeText.description}, with 1 to ${MAX_WORDS} different words`, (sent) => {
  const { length } = foldedWords(sent);
  return length >= 1 && length <= MAX_WORDS;
});

function searched(description: string, isAllowed: (sent: FreeText) => boolean): TextValue<FreeText> {
  return text({
    kind: 'text',
    description,
    parse: (sent) => {
      const parsed = FreeText.parse(sent);
      return parsed !== undefined && isAllowed(parsed) ? parsed : undefined;
    },
    schema: FreeText.schema,
  });
}

/** One or more of these values, each once. */
function anyOf<T extends string>(values: StringEnum<T>): TextValue<readonly T[]> {
  const { ALL } = values;
  return setOf(values, {
    most: ALL.length,
    description: `one or more different ones of ${ALL.join(', ')}`,
  });
}

const { sex, ageGroup, size, coat } = PetProfile.FIELDS;
const flag = (what: string) => described(TRUE_OR_FALSE, `Finds animals of which this is known: ${what}.`);

/**
 * What animals can be searched by, in the order of the parameters: the one declaration of each. They are joined by "and". An
 * animal of which something is not known is not found by it (docs/contract.md, "Searching").
 */
export const PET_SEARCH = {
  name: described(byWords, 'Finds animals whose name has each of these words, in any order and case.', 'Rex'),
  species: described(inAnyCase, 'Finds animals of this species, in any case.', 'dog'),
  breed: described(
    inAnyCase,
    'Finds animals one of whose breeds is this, in any case.',
    'Labrador Retriever',
  ),
  color: described(inAnyCase, 'Finds animals one of whose colours is this, in any case.', 'black'),
  location: described(inAnyCase, 'Finds animals at this location, in any case.', 'Foster home in Leeds'),
  reference: described(
    inAnyCase,
    'Finds animals with this number of the shelter, in any case.',
    'L-2026-117',
  ),
  sex: described(anyOf(sex), 'Finds animals of this sex.', ['female']),
  ageGroup: described(anyOf(ageGroup), 'Finds animals of one of these age groups.', ['baby', 'young']),
  size: described(anyOf(size), 'Finds animals of one of these sizes.', ['small', 'medium']),
  coat: described(anyOf(coat), 'Finds animals with one of these coats.', ['short']),
  goodWith: described(
    anyOf(PetProfile.COMPANIONS),
    'Finds animals that are known to get along with each of these.',
    ['children'],
  ),
  mixedBreed: flag('whether it is a mix of breeds'),
  spayedNeutered: flag('whether it is spayed or neutered'),
  houseTrained: flag('whether it is house-trained'),
  vaccinated: flag('whether its vaccinations are up to date'),
  specialNeeds: flag('whether it has special needs'),
  text: described(
    byWords,
    'Finds animals in whose description each of these words begins a word, in any order and case.',
    'garden',
  ),
} as const;

/** What is searched, parsed; everything may be absent. */
export type PetSearch = {
  readonly [Name in keyof typeof PET_SEARCH]?: ValueOf<(typeof PET_SEARCH)[Name]> | undefined;
};

/** Whether a query searches for anything. */
export function isSearch(query: PetSearch): boolean {
  return Object.keys(PET_SEARCH).some((name) => query[name as keyof PetSearch] !== undefined);
}
