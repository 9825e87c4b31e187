import type { Animal } from '../animal.js';
import { PETFINDER_AGES } from '../days.js';
import type { Format, LeftOut, RowValues, WriteOptions, WrittenCells } from '../format.js';
import { ageOf, breedNotes, feeOf, flagOf, lacking, namesOf } from '../portal-values.js';
import type { Row } from '../row.js';
import { petfinderType } from '../species.js';
import { AGE, capital, COAT, FLAG, INVERTED, namesIn, SEX, SIZE, wordsOf } from '../words.js';

// As the portal's own column text of August 2019, ASM3 and other programs agree on them.
const COLUMNS = namesIn(`
  ID Internal AnimalName PrimaryBreed SecondaryBreed Sex Size Age Desc Type Status Shots Altered NoDogs
  NoCats NoKids Housetrained Declawed specialNeeds Mix photo1 photo2 photo3 photo4 photo5 photo6
  arrival_date birth_date primaryColor secondaryColor tertiaryColor coat_length adoption_fee
  display_adoption_fee adoption_fee_waived special_needs_notes no_other no_other_note tags`);

/** Columns that no member of a profile is made of. */
const NOT_READ =
  /^(?:Declawed|arrival_date|adoption_fee_waived|special_needs_notes|no_other|no_other_note|tags)$/i;

const PHOTOS = namesIn('photo1 photo2 photo3 photo4 photo5 photo6');
const COLORS = namesIn('primaryColor secondaryColor tertiaryColor');

const STATUS = wordsOf({
  available: 'a, adoptable, available',
  pending: 'h, hold, p, pending',
  sold: 'x, adopted',
  gone: 'f, found',
});

const SIZES: Readonly<Record<string, string>> = { small: 'S', medium: 'M', large: 'L', xlarge: 'XL' };
const ASSUMED_SIZE = 'Size is M, since it is not known';

function read(row: Row): RowValues {
  const reference = row.text('ID');
  const isFeeShown = row.word(FLAG, 'display_adoption_fee') !== false;
  return {
    reference,
    name: row.text('AnimalName'),
    status: row.word(STATUS, 'Status'),
    profile: {
      species: row.text('Type'),
      breeds: row.texts('PrimaryBreed', 'SecondaryBreed'),
      mixedBreed: row.word(FLAG, 'Mix'),
      ageGroup: row.word(AGE, 'Age'),
      bornOn: row.day('birth_date'),
      sex: row.word(SEX, 'Sex'),
      size: row.word(SIZE, 'Size'),
      coat: row.word(COAT, 'coat_length'),
      colors: row.texts(...COLORS),
      description: row.lines('Desc'),
      goodWith: row.group({
        children: row.word(INVERTED, 'NoKids'),
        dogs: row.word(INVERTED, 'NoDogs'),
        cats: row.word(INVERTED, 'NoCats'),
      }),
      spayedNeutered: row.word(FLAG, 'Altered'),
      houseTrained: row.word(FLAG, 'Housetrained'),
      vaccinated: row.word(FLAG, 'Shots'),
      specialNeeds: row.word(FLAG, 'specialNeeds'),
      adoptionFee: isFeeShown ? row.fee('adoption_fee') : undefined,
      reference: row.text('Internal') ?? reference,
      photos: row.photos(...PHOTOS),
    },
  };
}

function write({ id, name, status, profile }: Animal, options: WriteOptions): WrittenCells | LeftOut {
  const { species, sex, size, goodWith = {}, photos = [], reference } = profile;
  const type = petfinderType(species);
  const breeds = namesOf(profile.breeds, options);
  const leftOut = lacking({ sex, breed: breeds[0], type });
  if (leftOut !== undefined) return { leftOut };
  const colors = namesOf(profile.colors, options);
  const fee = feeOf(profile.adoptionFee, 2, options);
  const notes = [...breedNotes(breeds), ...fee.notes, ...(size === undefined ? [ASSUMED_SIZE] : [])];
  return {
    notes,
    cells: {
      ...{
        ID: id,
        Internal: reference,
        AnimalName: name,
        PrimaryBreed: breeds[0],
        SecondaryBreed: breeds[1],
      },
      ...{ Sex: sex === 'male' ? 'M' : 'F', Size: SIZES[size ?? 'medium'], Type: type },
      Age: capital(ageOf(profile, PETFINDER_AGES, options)),
      Desc: profile.description?.replaceAll('\n', '&#10;'),
      Status: status === 'pending' ? 'P' : 'A',
      Shots: flagOf(profile.vaccinated, '1', ''),
      Altered: flagOf(profile.spayedNeutered, '1', ''),
      NoDogs: flagOf(goodWith.dogs, '0', '1'),
      NoCats: flagOf(goodWith.cats, '0', '1'),
      NoKids: flagOf(goodWith.children, '0', '1'),
      Housetrained: flagOf(profile.houseTrained, '1', ''),
      specialNeeds: flagOf(profile.specialNeeds, '1', ''),
      Mix: flagOf(profile.mixedBreed, '1', ''),
      ...Object.fromEntries(PHOTOS.map((column, at) => [column, photos[at]?.url])),
      ...Object.fromEntries(COLORS.map((column, at) => [column, colors[at]])),
      birth_date: profile.bornOn,
      coat_length: capital(profile.coat),
      adoption_fee: fee.amount,
      display_adoption_fee: fee.amount === undefined ? undefined : '1',
    },
  };
}

/** Petfinder's import file. */
export const PETFINDER: Format = {
  name: 'petfinder',
  reading: {
    columns: COLUMNS.filter((column) => !NOT_READ.test(column)),
    notRead: NOT_READ,
    required: [['ID']],
    longestRecord: 1024 * 1024,
    read,
  },
  writing: { columns: COLUMNS, hasHeader: true, takesPending: true, write },
};
