import { Day } from './day.js';
import { freeTexts } from './free-text.js';
import { HttpsUrl } from './https-url.js';
import {
  freeText,
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

const MAX_SIZE = `${MAX_BYTES / 1024} KiB`;

const MAX_BREEDS = 3;
const MAX_COLORS = 3;
const MAX_PHOTOS = 20;

const DESCRIPTION = freeTexts({ most: 4_000, hasLines: true });
const AMOUNT = /^(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,4})?$/;
const CURRENCY = /^[A-Z]{3}$/;

/** The words of members that have a few values. */
const WORDS = {
  ageGroup: ['baby', 'young', 'adult', 'senior'],
  sex: ['female', 'male'],
  size: ['small', 'medium', 'large', 'xlarge'],
  coat: ['hairless', 'short', 'medium', 'long', 'wire', 'curly'],
} as const;

const url = text((value) => HttpsUrl.parse(value) !== undefined, HttpsUrl.EXPECTED);

const description: ProfileRule = (value, path) => {
  if (typeof value === 'string' && value.includes('\r'))
    throw new InvalidProfileError(
      path,
      'must not hold a carriage return (U+000D): lines end with a line feed (U+000A)',
    );
  return text((lines) => DESCRIPTION.parse(lines) !== undefined, DESCRIPTION.EXPECTED)(value, path);
};

const goodWithMembers = objectOf({ children: trueOrFalse, dogs: trueOrFalse, cats: trueOrFalse });
const goodWith: ProfileRule = (value, path) => {
  const json = goodWithMembers(value, path);
  if (json === '{}') throw new InvalidProfileError(path, 'needs at least one of children, dogs, cats');
  return json;
};

const photoList = listOf(objectOf({ url, description: freeText }, ['url']), MAX_PHOTOS, 'photos');
const photos: ProfileRule = (value, path) => {
  const json = photoList(value, path);
  const urls = (value as readonly { readonly url: string }[]).map((photo) => photo.url);
  const twice = urls.findIndex((each, at) => urls.indexOf(each) !== at);
  if (twice !== -1)
    throw new InvalidProfileError(
      `${path}[${twice}].url`,
      `must differ from ${path}[${urls.indexOf(urls[twice] ?? '')}].url`,
    );
  return json;
};

/** @param latest the last day on which an animal may be born */
function rules(latest: Day): ProfileRules {
  return {
    species: freeText,
    breeds: listOf(freeText, MAX_BREEDS, 'texts, the main breed first'),
    mixedBreed: trueOrFalse,
    ageGroup: oneOf(WORDS.ageGroup),
    bornOn: text(
      (day) => Day.parse(day) !== undefined && day >= EARLIEST_BIRTH && day <= latest,
      `a day that exists, as YYYY-MM-DD, from ${EARLIEST_BIRTH} to tomorrow (UTC)`,
    ),
    sex: oneOf(WORDS.sex),
    size: oneOf(WORDS.size),
    coat: oneOf(WORDS.coat),
    colors: listOf(freeText, MAX_COLORS, 'texts'),
    description,
    goodWith,
    spayedNeutered: trueOrFalse,
    houseTrained: trueOrFalse,
    vaccinated: trueOrFalse,
    specialNeeds: trueOrFalse,
    adoptionFee: objectOf(
      {
        amount: text(
          (amount) => AMOUNT.test(amount),
          'a string of up to 9 digits without leading zeros, and up to 4 more behind a point, such as "120.00"',
        ),
        currency: text((currency) => CURRENCY.test(currency), 'three capital letters, such as "EUR"'),
      },
      ['amount', 'currency'],
    ),
    location: freeText,
    reference: freeText,
    page: url,
    photos,
  };
}

/** No animal that is looked for a home was born before. */
const EARLIEST_BIRTH = '1900-01-01' as Day;

const EMPTY = '{}' as PetProfile;

export const PetProfile = {
  EMPTY,
  /** {@link PetProfile.MAX_BYTES} as people read them. */
  MAX_SIZE,
  MAX_BYTES,
  DESCRIPTION,
  MAX_BREEDS,
  MAX_COLORS,
  MAX_PHOTOS,
  AMOUNT,
  CURRENCY,
  EARLIEST_BIRTH,
  WORDS,
  /** Names of all members, in the declared order. */
  MEMBERS: Object.keys(rules(EARLIEST_BIRTH)),
  /**
   * The profile that these members are. Others are ignored.
   *
   * @param members of JSON, as `JSON.parse` makes them
   * @param latestBirth the last day on which an animal may be born: tomorrow in UTC
   * @throws {InvalidProfileError} names the first member, in declared order, that is wrong
   */
  of(members: Readonly<Record<string, unknown>>, latestBirth: Day): PetProfile {
    const json = writeMembers(rules(latestBirth), members);
    // Only a file can hold so much: the body of a request is no larger.
    if (Buffer.byteLength(json) > MAX_BYTES)
      throw new InvalidProfileError('profile', `must take at most ${MAX_SIZE} as JSON`);
    return json as PetProfile;
  },
  /** When the animal was born, if that is known. */
  bornOn(profile: PetProfile): Day | undefined {
    return (JSON.parse(profile) as { readonly bornOn?: Day }).bornOn;
  },
  /**
   * For a caller that learns the day only after the profile was made.
   *
   * @throws {InvalidProfileError} when the animal is born after this day
   */
  requireBornBy(bornOn: Day, latestBirth: Day): void {
    writeMembers(rules(latestBirth), { bornOn });
  },
  /** Everything that is wrong with these members, one for each: what {@link PetProfile.of} says of the first. */
  flawsOf(members: Readonly<Record<string, unknown>>, latestBirth: Day): readonly InvalidProfileError[] {
    return Object.entries(rules(latestBirth)).flatMap(([name, rule]) => {
      try {
        writeMembers({ [name]: rule }, members);
        return [];
      } catch (error) {
        if (error instanceof InvalidProfileError) return [error];
        throw error;
      }
    });
  },
} as const;
