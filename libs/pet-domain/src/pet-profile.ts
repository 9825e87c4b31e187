import { Day } from './day.js';
import { freeTexts } from './free-text.js';
import { HttpsUrl } from './https-url.js';
import {
  field,
  freeText,
  freeTextOf,
  InvalidProfileError,
  listOf,
  objectOf,
  oneOf,
  type ProfileRule,
  type ProfileRules,
  text,
  trueOrFalse,
  writeMembers,
} from './profile-rules.js';
import type { Branded } from './value-types.js';

/**
 * The profile of an animal as JSON text: its known members, in the declared order and without white space, so that
 * equal profiles are equal texts (docs/contract.md, "Profiles"). Without a profile it is {@link PetProfile.EMPTY}.
 */
export type PetProfile = Branded<string, 'PetProfile'>;

/** Largest profile, in bytes of UTF-8. */
const MAX_BYTES = 16 * 1024;

/** The same as people read it. */
const MAX_SIZE = `${MAX_BYTES / 1024} KiB`;

const MAX_PHOTOS = 20;

/** No animal that is looked for a home was born before. */
const EARLIEST_BIRTH = '1900-01-01' as Day;

const bornOn = text(
  (day, latest) => Day.parse(day) !== undefined && day >= EARLIEST_BIRTH && day <= latest,
  `a day that exists, as YYYY-MM-DD, from ${EARLIEST_BIRTH} to tomorrow (UTC)`,
  { format: 'date', maxLength: 10 },
);

const DESCRIPTION = freeTexts({ most: 4_000, hasLines: true });
const lines = freeTextOf(DESCRIPTION, DESCRIPTION.PATTERN);
const description: ProfileRule = {
  ...lines,
  write: (value, path, latestBirth) => {
    if (typeof value === 'string' && value.includes('\r'))
      throw new InvalidProfileError(
        path,
        'must not hold a carriage return (U+000D): lines end with a line feed (U+000A)',
      );
    return lines.write(value, path, latestBirth);
  },
};

const some = objectOf({ children: trueOrFalse, dogs: trueOrFalse, cats: trueOrFalse });
const goodWith: ProfileRule = {
  schema: { ...some.schema, minProperties: 1 },
  write: (value, path, latestBirth) => {
    const json = some.write(value, path, latestBirth);
    if (json === '{}') throw new InvalidProfileError(path, 'needs at least one of children, dogs, cats');
    return json;
  },
};

const AMOUNT = /^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,4})?$/;
const amount = text(
  (value) => AMOUNT.test(value),
  'a string of up to 9 digits without leading zeros, and up to 4 more behind a point, such as "120.00"',
  { maxLength: 14, pattern: AMOUNT.source },
);
const CURRENCY = /^[A-Z]{3}$/;
const currency = text((value) => CURRENCY.test(value), 'three capital letters, such as "EUR"', {
  minLength: 3,
  maxLength: 3,
  pattern: CURRENCY.source,
});

const url = text((value) => HttpsUrl.parse(value) !== undefined, HttpsUrl.description, {
  maxLength: HttpsUrl.MAX_LENGTH,
  pattern: HttpsUrl.PATTERN,
});

const photo = objectOf(
  {
    url: field(url, 'Where the photo is. The service never connects to it.'),
    description: field(freeText, 'For people who do not see the photo.'),
  },
  ['url'],
);
const different = listOf(photo, MAX_PHOTOS, 'photos');
const photos: ProfileRule = {
  ...different,
  write: (value, path, latestBirth) => {
    const json = different.write(value, path, latestBirth);
    const urls = (value as readonly { readonly url: string }[]).map((each) => each.url);
    const twice = urls.findIndex((each, at) => urls.indexOf(each) !== at);
    if (twice !== -1)
      throw new InvalidProfileError(
        `${path}[${twice}].url`,
        `must differ from ${path}[${urls.indexOf(urls[twice] ?? '')}].url`,
      );
    return json;
  },
};

/**
 * The one declaration of the members of a profile, in the order of its JSON: rule, meaning and example. The document, the
 * arguments and results of tools, and the columns of files are made from it.
 */
const FIELDS = {
  species: field(freeText, 'Kind of animal: `dog`, `cat`, `rabbit`, whatever the shelter has.', 'dog'),
  breeds: field(listOf(freeText, 3, 'texts, the main breed first'), 'The main breed first.', [
    'Labrador Retriever',
    'Poodle',
  ]),
  mixedBreed: field(trueOrFalse, 'Whether it is a mix of breeds.', true),
  ageGroup: field(
    oneOf('baby', 'young', 'adult', 'senior'),
    'Does not follow from `bornOn`; prefer that to show an age.',
    'young',
  ),
  bornOn: field(
    bornOn,
    `Day of birth, which may be a guess: from ${EARLIEST_BIRTH} to tomorrow (UTC).`,
    '2024-02-29',
  ),
  sex: field(oneOf('female', 'male'), 'Sex.', 'female'),
  size: field(oneOf('small', 'medium', 'large', 'xlarge'), 'Size, grown up.', 'medium'),
  coat: field(oneOf('hairless', 'short', 'medium', 'long', 'wire', 'curly'), 'Coat.', 'curly'),
  colors: field(listOf(freeText, 3, 'texts'), 'Colours, the main one first.', ['black', 'white']),
  description: field(
    description,
    `Plain text, never markup: escape it where it is shown. Lines end with a line feed. The whole profile has at most ${MAX_SIZE}, so that not everything can be as long as it may be.`,
    'Loves water.\nNeeds a garden.',
  ),
  goodWith: field(goodWith, 'Who it gets along with: at least one of them.', { children: true, cats: false }),
  spayedNeutered: field(trueOrFalse, 'Whether it is spayed or neutered.', true),
  houseTrained: field(trueOrFalse, 'Whether it is house-trained.', true),
  vaccinated: field(trueOrFalse, 'Whether its vaccinations are up to date.', true),
  specialNeeds: field(trueOrFalse, 'Whether it has special needs.', true),
  adoptionFee: field(
    objectOf(
      {
        amount: field(amount, 'A decimal number, kept as it is sent; `0` is free of charge.'),
        currency: field(currency, 'Three capital letters, as in ISO 4217.'),
      },
      ['amount', 'currency'],
    ),
    'What an adopter pays.',
    { amount: '120.00', currency: 'EUR' },
  ),
  location: field(freeText, 'Where it can be seen.', 'Foster home in Leeds'),
  reference: field(freeText, 'The number that the shelter gave it.', 'L-2026-117'),
  page: field(url, 'Its page at the shelter.', 'https://shelter.example/animals/42'),
  photos: field(
    photos,
    `The best first; their URLs are all different. The whole profile has at most ${MAX_SIZE}, so that twenty of the longest URLs do not fit.`,
    [{ url: 'https://shelter.example/photos/42-1.jpg', description: 'On the sofa' }],
  ),
} satisfies ProfileRules;

export const PetProfile = {
  EMPTY: '{}' as PetProfile,
  MAX_SIZE,
  MAX_PHOTOS,
  FIELDS,
  /** Names of all members, in the declared order. */
  MEMBERS: Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[],
  /**
   * The profile that these members are. Others are ignored.
   *
   * @param members of JSON, as `JSON.parse` makes them
   * @param latestBirth the last day on which an animal may be born: tomorrow in UTC
   * @throws {InvalidProfileError} names the first member, in declared order, that is wrong
   */
  of(members: Readonly<Record<string, unknown>>, latestBirth: Day): PetProfile {
    const json = writeMembers(FIELDS, members, latestBirth);
    // Only a file can hold so much: the body of a request is no larger.
    if (Buffer.byteLength(json) > MAX_BYTES)
      throw new InvalidProfileError('profile', `must take at most ${MAX_SIZE} as JSON`);
    return json as PetProfile;
  },
  /** Everything that is wrong with these members, one for each: what {@link PetProfile.of} says of the first. */
  problemsOf(members: Readonly<Record<string, unknown>>, latestBirth: Day): readonly InvalidProfileError[] {
    return Object.entries<ProfileRule>(FIELDS).flatMap(([name, rule]) => {
      try {
        writeMembers({ [name]: rule }, members, latestBirth);
        return [];
      } catch (error) {
        if (error instanceof InvalidProfileError) return [error];
        throw error;
      }
    });
  },
} as const;
