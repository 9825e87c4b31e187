import { Day } from './day.js';
import { FreeText, freeTexts } from './free-text.js';
import { HttpsUrl } from './https-url.js';
import { type Branded, described, type Members, refined, type Value, type ValueOf } from './value.js';
import { listOf, objectOf, stringEnum, text, TRUE_OR_FALSE } from './values.js';

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
const MAX_DESCRIPTION = 4_000;

/** No animal that is looked for a home was born before. */
const EARLIEST_BIRTH = '1900-01-01' as Day;

const bornOn = text({
  description: `a day that exists, as YYYY-MM-DD, from ${EARLIEST_BIRTH} to tomorrow (UTC)`,
  parse: (sent) => {
    const day = Day.parse(sent);
    return day !== undefined && day >= EARLIEST_BIRTH && day <= Day.of(new Date(), 1) ? day : undefined;
  },
  schema: { format: 'date', maxLength: 10 },
});

const AMOUNT = /^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,4})?$/;
const amount = text({
  description:
    'a string of up to 9 digits without leading zeros, and up to 4 more behind a point, such as "120.00"',
  parse: (sent) => (AMOUNT.test(sent) ? sent : undefined),
  schema: { maxLength: 14, pattern: AMOUNT.source },
});

const CODE = /^[A-Z]{3}$/;
/** A currency of ISO 4217. */
export const CURRENCY = text({
  description: 'three capital letters, such as "EUR"',
  parse: (sent) => (CODE.test(sent) ? sent : undefined),
  schema: { minLength: 3, maxLength: 3, pattern: CODE.source },
});

/** 1 to `most` items. @param items what they are, in the plural */
const upTo = <T>(most: number, item: Value<T>, items: string): Value<readonly T[]> =>
  listOf(item, { most, description: `an array of 1 to ${most} ${items}` });

/** Whom an animal may get along with. */
const companions = { children: TRUE_OR_FALSE, dogs: TRUE_OR_FALSE, cats: TRUE_OR_FALSE };
const COMPANIONS = stringEnum(...(Object.keys(companions) as (keyof typeof companions)[]));
const some = objectOf(companions);
const goodWith = refined({ ...some, schema: { ...some.schema, minProperties: 1 } }, (animals, path) =>
  Object.keys(animals).length === 0
    ? [path, `needs at least one of ${COMPANIONS.ALL.join(', ')}`]
    : undefined,
);

const photo = objectOf(
  {
    url: described(HttpsUrl, 'Where the photo is. The service never connects to it.'),
    description: described(FreeText, 'For people who do not see the photo.'),
  },
  ['url'],
);
const photos = refined(upTo(MAX_PHOTOS, photo, 'photos'), (list, path) => {
  const urls = list.map(({ url }) => url);
  const twice = urls.findIndex((url, at) => urls.indexOf(url) !== at);
  if (twice === -1) return undefined;
  const first = urls.findIndex((url) => url === urls[twice]);
  return [`${path}[${twice}].url`, `must differ from ${path}[${first}].url`];
});

/**
 * The one declaration of the members of a profile, in the order of its JSON: rule, meaning and example. The document, the
 * arguments and results of tools, and the columns of this service's own files are made from it.
 */
const PROFILE = objectOf({
  species: described(FreeText, 'Kind of animal: `dog`, `cat`, `rabbit`, whatever the shelter has.', 'dog'),
  breeds: described(upTo(3, FreeText, 'texts, the main breed first'), 'The main breed first.', [
    'Labrador Retriever',
    'Poodle',
  ]),
  mixedBreed: described(TRUE_OR_FALSE, 'Whether it is a mix of breeds.', true),
  ageGroup: described(
    stringEnum('baby', 'young', 'adult', 'senior'),
    'Does not follow from `bornOn`; prefer that to show an age.',
    'young',
  ),
  bornOn: described(
    bornOn,
    `Day of birth, which may be a guess: from ${EARLIEST_BIRTH} to tomorrow (UTC).`,
    '2024-02-29',
  ),
  sex: described(stringEnum('female', 'male'), 'Sex.', 'female'),
  size: described(stringEnum('small', 'medium', 'large', 'xlarge'), 'Size, grown up.', 'medium'),
  coat: described(stringEnum('hairless', 'short', 'medium', 'long', 'wire', 'curly'), 'Coat.', 'curly'),
  colors: described(upTo(3, FreeText, 'texts'), 'Colours, the main one first.', ['black', 'white']),
  description: described(
    freeTexts({ most: MAX_DESCRIPTION, hasLines: true }),
    `Plain text, never markup: escape it where it is shown. Lines end with a line feed. The whole profile has at most ${MAX_SIZE}, so that not everything can be as long as it may be.`,
    'Loves water.\nNeeds a garden.',
  ),
  goodWith: described(goodWith, 'Who it gets along with: at least one of them.', {
    children: true,
    cats: false,
  }),
  spayedNeutered: described(TRUE_OR_FALSE, 'Whether it is spayed or neutered.', true),
  houseTrained: described(TRUE_OR_FALSE, 'Whether it is house-trained.', true),
  vaccinated: described(TRUE_OR_FALSE, 'Whether its vaccinations are up to date.', true),
  specialNeeds: described(TRUE_OR_FALSE, 'Whether it has special needs.', true),
  adoptionFee: described(
    objectOf(
      {
        amount: described(amount, 'A decimal number, kept as it is sent; `0` is free of charge.'),
        currency: described(CURRENCY, 'Three capital letters, as in ISO 4217.'),
      },
      ['amount', 'currency'],
    ),
    'What an adopter pays.',
    { amount: '120.00', currency: 'EUR' },
  ),
  location: described(FreeText, 'Where it can be seen.', 'Foster home in Leeds'),
  reference: described(FreeText, 'The number that the shelter gave it.', 'L-2026-117'),
  page: described(HttpsUrl, 'Its page at the shelter.', 'https://shelter.example/animals/42'),
  photos: described(
    photos,
    `The best first; their URLs are all different. The whole profile has at most ${MAX_SIZE}, so that twenty of the longest URLs do not fit.`,
    [{ url: 'https://shelter.example/photos/42-1.jpg', description: 'On the sofa' }],
  ),
});

/** The names of the members. */
const MEMBERS = Object.keys(PROFILE.members) as readonly (keyof typeof PROFILE.members)[];

/** What a profile holds. */
export type ProfileMembers = ValueOf<typeof PROFILE>;

function invalid(path: string, problem: string): never {
  throw new InvalidProfileError(path, problem);
}

/** A profile becomes its JSON text; what is no member of it is passed over. */
const VALUE: Value<PetProfile> = {
  ...PROFILE,
  kind: 'json',
  parseJson: (json, refuse, path) => {
    const text = JSON.stringify(PROFILE.parseJson(json, refuse, path)) as PetProfile | undefined;
    // Only a file can hold so much: the body of a request is no larger. A code unit takes at most three bytes.
    if (text === undefined || text.length <= MAX_BYTES / 3) return text;
    if (new TextEncoder().encode(text).length <= MAX_BYTES) return text;
    refuse?.('profile', `must take at most ${MAX_SIZE} as JSON`);
    return undefined;
  },
};

export const PetProfile = {
  ...VALUE,
  EMPTY: '{}' as PetProfile,
  MAX_SIZE,
  MAX_PHOTOS,
  COMPANIONS,
  /** Most characters of a description. */
  MAX_DESCRIPTION,
  /** The declaration of each member. */
  FIELDS: PROFILE.members,
  /** Names of all members, in the declared order. */
  MEMBERS,
  /**
   * The profile that these members are. Others are ignored.
   *
   * @param members of JSON, as `JSON.parse` makes them
   * @param refuse is told the first member, in declared order, that is wrong, and throws
   * @throws {InvalidProfileError} unless told to throw something else
   */
  of(members: Members, refuse: (path: string, problem: string) => never = invalid): PetProfile {
    return VALUE.parseJson(members, refuse) as PetProfile;
  },
} as const;

/** A member of a profile is not allowed (docs/contract.md, "Profiles"). */
export class InvalidProfileError extends Error {
  override readonly name = 'InvalidProfileError';

  /**
   * @param path of the member, such as `photos[3].url`; indexes count from 0
   * @param problem what is wrong, behind the path: "must be ..."
   */
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} ${problem}`);
  }
}
