import type { Animal } from '../animal.js';
import type { AgeBands } from '../days.js';
import type { Format, LeftOut, WriteOptions, WrittenCells } from '../format.js';
import { ageOf, breedNotes, feeOf, flagOf, lacking, namesOf } from '../portal-values.js';
import { adoptAPetType } from '../species.js';
import { toHtml } from '../text.js';
import { capital, namesIn } from '../words.js';

const COLUMNS = namesIn(`
  Id Animal Breed Breed2 Purebred Age Name Size Sex Description Status GoodWKids GoodWCats GoodWDogs
  SpayedNeutered ShotsCurrent Housetrained Declawed SpecialNeeds HairLength YouTubeVideoURL Birthdate
  Sizecurrent SizeUOM AdoptionFee Cratetrained HeartwormNegative HeartwormPositive Leashtrained IndoorOnly
  FIVPositive SpecialDietaryNeeds`);

/** Half a year, two years and nine years. */
const AGES: AgeBands = [182.5, 730, 3_285];

const SIZES: Readonly<Record<string, string>> = { small: 'S', medium: 'M', large: 'L', xlarge: 'XL' };
/** Types that have a size; with others it is an error. */
const SIZED = new Set(['Dog', 'Cat']);

/** The lengths of hair that each type can have. */
const HAIR: Readonly<Record<string, readonly string[]>> = {
  Cat: ['short', 'medium', 'long'],
  Rabbit: ['short', 'long'],
  'Small Animal': ['hairless', 'short', 'medium', 'long'],
};

/** `05/17/2024` of `2024-05-17`. */
function monthFirst(day: string | undefined): string | undefined {
  return day?.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');
}

function write({ id, name, profile }: Animal, options: WriteOptions): WrittenCells | LeftOut {
  const { species, sex, size = '', coat = '', goodWith = {} } = profile;
  const type = adoptAPetType(species);
  const breeds = namesOf(profile.breeds, options);
  const leftOut = lacking({ sex, breed: breeds[0], type });
  if (leftOut !== undefined || type === undefined) return { leftOut: leftOut ?? '' };
  const fee = feeOf(profile.adoptionFee, 0, options);
  return {
    notes: [...breedNotes(breeds), ...fee.notes],
    cells: {
      ...{ Id: id, Animal: type, Breed: breeds[0], Breed2: breeds[1], Name: name, Status: 'Available' },
      Purebred: profile.mixedBreed === false ? '1' : '0',
      Age: capital(ageOf(profile, AGES, options)),
      Size: SIZED.has(type) ? SIZES[size] : undefined,
      Sex: sex === 'male' ? 'M' : 'F',
      Description: toHtml(profile.description),
      GoodWKids: flagOf(goodWith.children, '1', '0'),
      GoodWCats: flagOf(goodWith.cats, '1', '0'),
      GoodWDogs: flagOf(goodWith.dogs, '1', '0'),
      SpayedNeutered: profile.spayedNeutered === true ? '1' : '0',
      ShotsCurrent: profile.vaccinated === true ? '1' : '0',
      Housetrained: flagOf(profile.houseTrained, '1', '0'),
      // Not known of any animal, and not to be blank.
      Declawed: '0',
      SpecialNeeds: profile.specialNeeds === true ? '1' : '0',
      HairLength: HAIR[type]?.includes(coat) === true ? capital(coat) : undefined,
      Birthdate: monthFirst(profile.bornOn),
      AdoptionFee: fee.amount,
    },
  };
}

/** Adopt-a-Pet's AutoUpload. Its map file names the columns, and our names for them are the portal's. */
export const ADOPTAPET: Format = {
  name: 'adoptapet',
  writing: {
    columns: COLUMNS,
    hasHeader: false,
    takesPending: false,
    write,
    companion: {
      name: 'import.cfg',
      content: COLUMNS.map((column, at) => `#${at + 1}:${column}=${column}\n`).join(''),
    },
  },
};
