import fc from 'fast-check';
import type { ModelPet, ModelSearch } from './search-model.js';

/** Texts that differ in case or form alone, or mean something in SQL, JSON and the like. */
const TEXTS = [
  ...['dog', 'DOG', 'Dog  ', 'cat', 'Straße', 'STRASSE', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'a "quoted" one'],
  ...['back\\slash', "it's", "'; drop table pets", '{a,b}', 'x & y | !z', ':*'],
  ...['Voila\u0301', 'Voilà', '犬', '\u00A0tab', 'é'.repeat(255), `${'\u0301'.repeat(254)}a`],
  ...[`${'ﬃ'.repeat(254)}a`, `${'ﬃ'.repeat(254)}b`],
];
const WORDS = [
  ...['loves', 'Water', 'water-proof', 'gardens', "children's", 'ﬁnds', 'Straße', '犬', 'a'],
  'x'.repeat(300),
];
/** What is looked for in descriptions. */
const BEGINNINGS = [
  ...['l', 'love', 'WATER', 'water proof', 'child s', 'FI', 'strass', 'STRASSEN', '犬', 'a'],
];
const ENUMS = {
  sex: ['female', 'male'],
  ageGroup: ['baby', 'young', 'adult', 'senior'],
  size: ['small', 'medium', 'large', 'xlarge'],
  coat: ['short', 'long'],
};
const WHOM = ['children', 'dogs', 'cats'];
const STATUSES = ['available', 'pending', 'sold'];

const text = fc.constantFrom(...TEXTS);
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(' '));
const name = sentence.filter((each) => each.length <= 255);
const status = fc.constantFrom(...STATUSES);
const categoryId = fc.integer({ min: 1, max: 3 });
const flags = Object.fromEntries(
  ['mixedBreed', 'spayedNeutered', 'houseTrained', 'vaccinated', 'specialNeeds'].map((each) => [
    each,
    fc.boolean(),
  ]),
);
const someOf = (all: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...all], { minLength: 1 });

/** An animal as a shelter may describe it. */
export const petSample: fc.Arbitrary<ModelPet> = fc.record({
  name: fc.oneof(text, name),
  categoryId,
  status,
  profile: fc.record(
    {
      ...{ species: text, location: text, reference: text, description: sentence },
      breeds: fc.array(text, { minLength: 1, maxLength: 3 }),
      colors: fc.array(text, { minLength: 1, maxLength: 3 }),
      ...Object.fromEntries(Object.entries(ENUMS).map(([each, all]) => [each, fc.constantFrom(...all)])),
      goodWith: fc
        .record({ children: fc.boolean(), dogs: fc.boolean(), cats: fc.boolean() }, { requiredKeys: [] })
        .filter((animals) => Object.keys(animals).length > 0),
      ...flags,
    },
    { requiredKeys: [] },
  ),
});

const allParameters: fc.Arbitrary<ModelSearch> = fc.record({
  ...{ status, categoryId, name, text: fc.constantFrom(...BEGINNINGS), goodWith: someOf(WHOM) },
  ...Object.fromEntries(['species', 'breed', 'color', 'location', 'reference'].map((each) => [each, text])),
  ...Object.fromEntries(Object.entries(ENUMS).map(([each, all]) => [each, someOf(all)])),
  ...flags,
});

/** One to three parameters: all together find nothing. */
export const searchSample: fc.Arbitrary<ModelSearch> = allParameters.chain((all) =>
  fc
    .subarray(Object.entries(all), { minLength: 1, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as ModelSearch),
);
