import type { Animal } from '../animal.js';
import { PETFINDER_AGES } from '../days.js';
import type { Format, LeftOut, RowValues, WriteOptions, WrittenCells } from '../format.js';
import { ageOf, breedNotes, flagOf, lacking, namesOf } from '../portal-values.js';
import type { Row } from '../row.js';
import { isDog } from '../species.js';
import { toHtml } from '../text.js';
import { AGE, capital, COAT, FLAG, namesIn, SEX, SIZE, wordsOf } from '../words.js';

const COLUMNS = namesIn(`
  externalID internalID rescueID name status type priBreed secBreed mix sex age okwithdogs okwithcats
  okwithkids declawed housebroken specialNeeds altered size uptodate color pattern coatLength courtesy dsc
  found foundDate foundZipcode photo1 photo2 photo3 photo4 videoUrl`);

/** Columns of the older form that ASM3 writes, beside those of the same name. */
const ASM3_COLUMNS = namesIn(`
  animalID species primaryBreed secondaryBreed mixed dogs cats kids housetrained description pic1
  pic2 pic3 pic4`);

const NOT_READ =
  /^(?:internalID|declawed|pattern|courtesy|found(?:Date|Zipcode)?|videoUrl|summary|orgID|lastUpdated|breed)$/i;

const PHOTOS = namesIn('photo1 photo2 photo3 photo4');

const STATUS = wordsOf({
  available: 'available, adoptable',
  pending: 'pending, adoption pending, hold, on hold, medical hold, court hold',
  sold: 'adopted',
  gone: 'not available, unavailable, not for adoption, transferred, deceased, passed away, euthanized, returned to owner, removed, sanctuary, permanent foster, found',
});

const COATS = new Set(['short', 'medium', 'long']);
const LONGEST_NAME = 50;
const LONGEST_RESCUE_ID = 25;

function read(row: Row): RowValues {
  const reference = row.text('externalID', 'animalID');
  return {
    reference,
    name: row.text('name'),
    status: row.word(STATUS, 'status'),
    profile: {
      species: row.text('type', 'species'),
      breeds: row.has('priBreed')
        ? row.texts('priBreed', 'secBreed')
        : row.texts('primaryBreed', 'secondaryBreed'),
      mixedBreed: row.word(FLAG, 'mix', 'mixed'),
      ageGroup: row.word(AGE, 'age'),
      sex: row.word(SEX, 'sex'),
      size: row.word(SIZE, 'size'),
      coat: row.word(COAT, 'coatLength'),
      colors: row.texts('color'),
      description: row.lines('dsc', 'description'),
      goodWith: row.group({
        children: row.word(FLAG, 'okwithkids', 'kids'),
        dogs: row.word(FLAG, 'okwithdogs', 'dogs'),
        cats: row.word(FLAG, 'okwithcats', 'cats'),
      }),
      spayedNeutered: row.word(FLAG, 'altered'),
      houseTrained: row.word(FLAG, 'housebroken', 'housetrained'),
      vaccinated: row.word(FLAG, 'uptodate'),
      specialNeeds: row.word(FLAG, 'specialNeeds'),
      reference: row.text('rescueID') ?? reference,
      photos: row.photos(...PHOTOS, 'pic1', 'pic2', 'pic3', 'pic4'),
    },
  };
}

function write({ id, name, profile }: Animal, options: WriteOptions): WrittenCells | LeftOut {
  const { species, size, coat = '', goodWith = {}, photos = [], reference = '' } = profile;
  const breeds = namesOf(profile.breeds, options);
  const leftOut = lacking({ breed: isDog(species) ? '' : breeds[0], type: species });
  if (leftOut !== undefined) return { leftOut };
  const characters = Array.from(name);
  const isNameLong = characters.length > LONGEST_NAME;
  const isReferenceLong = Array.from(reference).length > LONGEST_RESCUE_ID;
  return {
    notes: breedNotes(breeds),
    shortened: [
      ...(isNameLong ? [`name: ${LONGEST_NAME} of ${characters.length} characters`] : []),
      ...(isReferenceLong
        ? [`rescueID: blank, since the reference is longer than ${LONGEST_RESCUE_ID}`]
        : []),
    ],
    cells: {
      ...{ externalID: id, rescueID: isReferenceLong ? undefined : reference, status: 'Available' },
      ...{ type: capital(species), priBreed: breeds[0], secBreed: breeds[1], sex: capital(profile.sex) },
      name: characters.slice(0, LONGEST_NAME).join(''),
      mix: flagOf(profile.mixedBreed, 'Yes', 'No'),
      age: capital(ageOf(profile, PETFINDER_AGES, options)),
      okwithdogs: flagOf(goodWith.dogs, 'Yes', 'No'),
      okwithcats: flagOf(goodWith.cats, 'Yes', 'No'),
      okwithkids: flagOf(goodWith.children, 'Yes', 'No'),
      housebroken: flagOf(profile.houseTrained, 'Yes', 'No'),
      specialNeeds: flagOf(profile.specialNeeds, 'Yes', 'No'),
      altered: flagOf(profile.spayedNeutered, 'Yes', 'No'),
      size: size === 'xlarge' ? 'X-Large' : capital(size),
      uptodate: flagOf(profile.vaccinated, 'Yes', 'No'),
      color: namesOf(profile.colors, options)[0],
      coatLength: COATS.has(coat) ? capital(coat) : undefined,
      dsc: toHtml(profile.description),
      ...Object.fromEntries(PHOTOS.map((column, at) => [column, photos[at]?.url])),
    },
  };
}

/** RescueGroups' import file, and the older form of it that ASM3 writes. */
export const RESCUEGROUPS: Format = {
  name: 'rescuegroups',
  reading: {
    columns: [...COLUMNS, ...ASM3_COLUMNS].filter((column) => !NOT_READ.test(column)),
    notRead: NOT_READ,
    required: [['externalID', 'animalID']],
    longestRecord: 1024 * 1024,
    read,
  },
  writing: { columns: COLUMNS, hasHeader: true, takesPending: false, write },
};
