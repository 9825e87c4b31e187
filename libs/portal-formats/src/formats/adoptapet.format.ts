import type { Animal } from '../animal.js';
import type { Columns } from '../columns.js';
import * as column from '../columns.js';
import type { AgeBands } from '../days.js';
import type { WrittenFormat } from '../format.js';
import { adoptAPetType } from '../species.js';
import { toHtml } from '../text.js';
import { AGE, capital, SEX } from '../words.js';

/** Half a year, two years and nine years. */
const AGES: AgeBands = [182.5, 730, 3_285];

const SIZES = column.cellsOf({ small: 'S', medium: 'M', large: 'L', xlarge: 'XL' });
/** Types that have a size; with others it is an error. */
const SIZED: ReadonlySet<string | undefined> = new Set(['Dog', 'Cat']);

/** The lengths of hair that each type can have. */
const HAIR: Readonly<Record<string, readonly string[]>> = {
  Cat: ['short', 'medium', 'long'],
  Rabbit: ['short', 'long'],
  'Small Animal': ['hairless', 'short', 'medium', 'long'],
};

const COLUMNS: Columns = {
  Id: column.KEY,
  Animal: column.text('profile.species', adoptAPetType),
  Breed: column.breed(0),
  Breed2: column.breed(1),
  Purebred: { write: ({ profile }) => (profile.mixedBreed === false ? '1' : '0') },
  Age: column.age(AGE, AGES),
  Name: column.text('name'),
  Size: {
    write: ({ profile: { species, size = '' } }) =>
      SIZED.has(adoptAPetType(species)) ? SIZES(size) : undefined,
  },
  Sex: column.word('profile.sex', SEX, column.cellsOf({ male: 'M', female: 'F' })),
  Description: column.lines('profile.description', toHtml),
  Status: column.fixed('Available'),
  GoodWKids: column.flag('profile.goodWith.children', '1', '0'),
  GoodWCats: column.flag('profile.goodWith.cats', '1', '0'),
  GoodWDogs: column.flag('profile.goodWith.dogs', '1', '0'),
  SpayedNeutered: column.decided('profile.spayedNeutered'),
  ShotsCurrent: column.decided('profile.vaccinated'),
  Housetrained: column.flag('profile.houseTrained', '1', '0'),
  // Not known of any animal, and not to be blank.
  Declawed: column.fixed('0'),
  SpecialNeeds: column.decided('profile.specialNeeds'),
  HairLength: {
    write: ({ profile: { species, coat = '' } }) =>
      HAIR[adoptAPetType(species) ?? '']?.includes(coat) === true ? capital(coat) : undefined,
  },
  ...column.blank('YouTubeVideoURL'),
  Birthdate: column.day('profile.bornOn', (bornOn) => bornOn.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')),
  ...column.blank('Sizecurrent', 'SizeUOM'),
  AdoptionFee: column.fee(0),
  ...column.blank('Cratetrained', 'HeartwormNegative', 'HeartwormPositive', 'Leashtrained', 'IndoorOnly'),
  ...column.blank('FIVPositive', 'SpecialDietaryNeeds'),
};

const leaveOut = ({ profile: { sex, breeds, species } }: Animal): string | undefined =>
  column.lacking({ sex, breed: breeds?.[0], type: adoptAPetType(species) });

/** Adopt-a-Pet's AutoUpload. Its map file names the columns, and our names for them are the portal's. */
export const ADOPTAPET: WrittenFormat = {
  writing: column.writingOf(COLUMNS, leaveOut, {
    hasHeader: false,
    takesPending: false,
    companion: {
      name: 'import.cfg',
      content: Object.keys(COLUMNS)
        .map((column, at) => `#${at + 1}:${column}=${column}\n`)
        .join(''),
    },
  }),
};
