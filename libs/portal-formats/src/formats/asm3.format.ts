import type { Column, Columns } from '../columns.js';
import * as column from '../columns.js';
import { ageGroupOf, PETFINDER_AGES } from '../days.js';
import type { ReadFormat, RowValues } from '../format.js';
import { MOST_ADDRESSES, type Row } from '../row.js';
import { COAT, joined, type Words, wordsOf } from '../words.js';
import { COATS, MOVEMENTS, NO, SEXES, SIZES, YES } from './asm3.words.js';

/** What else ASM3 exports: about people, internal, or of no use to adopters. */
const NOT_READ = new RegExp(
  '^(?:COST|CURRENTVET|LOG|MEDICAL|ORIGINALOWNER|PERSON|TEST|VACCINATION|MOVEMENTDATE$|ANIMAL(?:ADDITIONAL|MICROCHIP|EUTHANIZED|' +
    'ID$|LITTER$|TYPE$|WEIGHT$|LOCATION$|UNIT$|WARNING$|HIDDENDETAILS$|HEALTHPROBLEMS$|MARKINGS$|REASONFORENTRY$|' +
    'NEUTEREDDATE$|ENTRY|DECEASED(?:REASON|NOTES)$|JURISDICTION$|PICKUP|TRANSFER$|GOODWITHELDERLY$|CRATETRAINED$|PDF|HTML))',
  'i',
);

/** By which the rows of its service method `csv_adoptable_animals` are known. */
const SERVICE_KEY = 'SHELTERCODE';

/** Names of shelters in the languages of ASM3, and its numbers. */
const SIZE = joined(wordsOf(SIZES), wordsOf({ small: '3', medium: '2', large: '1', xlarge: '0' }));
const COATS_OF_ALL = joined(COAT, wordsOf(COATS));
const SEX = joined(wordsOf(SEXES), wordsOf({ male: 'm', female: 'f' }));
const SEX_NUMBER = wordsOf({ female: '0', male: '1' });
const MOVEMENT = joined(
  wordsOf(MOVEMENTS),
  wordsOf({ available: '0, 2, 8, 10', sold: '1', gone: '3, 4, 5, 6, 7, 12, 13', pending: '9, 11' }),
);

const answers = (yes: string, no: string): Words<boolean> =>
  new Map([...wordsOf({ yes, no })].map(([word, answer]) => [word, answer === 'yes']));
/** A flag of its own: 1 is set. */
const FLAG = answers(`${YES}, 1, y, t, true, on`, `${NO}, 0, n, f, false`);
/** Codes, of which 0 says yes and 1 no; all others say something in between. */
const ANSWER = answers(`${YES}, 0, y`, `${NO}, 1, n`);

/** A cell that says nothing: Python's word for it, which ASM3 writes. */
const isSilent = (row: Row, name: string): boolean => {
  const cell = row.cell(name);
  return cell === undefined || cell === 'None';
};

/** `undefined` when the file does not say: without movements, an animal can be said to be gone only. */
function statusOf(row: Row): string | undefined {
  const isSet = (...names: readonly string[]): boolean =>
    names.some((name) => row.known(FLAG, name) === true);
  if (!isSilent(row, 'ANIMALDECEASEDDATE') || !isSilent(row, 'DECEASEDDATE')) return 'gone';
  // Of another shelter, which asks this one to show it.
  const isShown = isSet('ISCOURTESY');
  if (!isShown && isSet('ANIMALNONSHELTER', 'NONSHELTERANIMAL')) return 'gone';
  const name = row.has(SERVICE_KEY) ? 'ACTIVEMOVEMENTTYPE' : 'MOVEMENTTYPE';
  const moved = isSilent(row, name) ? 'available' : row.known(MOVEMENT, name);
  const isPending = isSet('HASTRIALADOPTION', 'HASACTIVERESERVE');
  if (moved === 'gone' || (moved === 'sold' && !isPending)) return moved;
  const isKept = isSet('ANIMALNOTFORADOPTION', 'ISNOTAVAILABLEFORADOPTION', 'HASPERMANENTFOSTER');
  if (isKept && !isShown) return 'gone';
  if (isPending) return 'pending';
  return row.has(name) ? moved : undefined;
}

/** By years, where there is no day of birth. */
function ageOf(row: Row, name: string): string | undefined {
  const cell = row.cell(name)?.replace(',', '.') ?? '';
  if (row.has(SERVICE_KEY) || !isSilent(row, 'ANIMALDOB') || !/^\d{1,3}(?:\.\d+)?$/.test(cell))
    return undefined;
  return ageGroupOf(Math.floor(Number(cell) * 365), PETFINDER_AGES);
}

/** The addresses that the service writes as a list of Python. */
function photosOf(row: Row, name: string): unknown {
  const parts = (row.cell(name) ?? '').split("'", 2 * MOST_ADDRESSES);
  return row.photosOf(parts.filter((_, at) => at % 2 === 1));
}

const own = (member: string, read: NonNullable<Column['read']>): Column => ({
  member: `profile.${member}`,
  read: (row, name) => (isSilent(row, name) ? undefined : read(row, name)),
});
/** A word that ASM3 knows; any other one, of a shelter's own, says nothing. */
const known = <Value>(member: string, words: Words<Value>): Column =>
  own(member, (row, name) => row.known(words, name));
/** The same column of the export and of the service method. */
const both = (exported: string, served: string, one: Column): Columns => ({ [exported]: one, [served]: one });
/** Columns that decide the status. */
const deciding = (...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, { read: () => undefined }]));

/** The service writes two apostrophes for a quotation mark. */
const quoted = (row: Row, value: string | undefined): string | undefined =>
  row.has(SERVICE_KEY) ? value?.replaceAll("''", '"') : value;
/** A backtick stands for an apostrophe. */
const BREED = own('breeds', (row, name) => row.list(name)?.map((breed) => breed.replaceAll('`', "'")));
const TEXT = own('description', (row, name) => quoted(row, row.lines(name)));

const COLUMNS: Columns = {
  ...both('ANIMALCODE', SERVICE_KEY, column.KEY),
  ANIMALNAME: { member: 'name', read: (row, name) => quoted(row, row.text(name)) },
  ...both(
    'ANIMALSPECIES',
    'SPECIESNAME',
    own('species', (row, name) => row.text(name)),
  ),
  ...both('ANIMALBREED1', 'BREEDNAME1', BREED),
  ...both('ANIMALBREED2', 'BREEDNAME2', BREED),
  CROSSBREED: known('mixedBreed', FLAG),
  ...both(
    'ANIMALCOLOR',
    'BASECOLOURNAME',
    own('colors', (row, name) => row.list(name)),
  ),
  ...both('ANIMALSIZE', 'SIZE', known('size', SIZE)),
  ...both('ANIMALCOATTYPE', 'COATTYPENAME', known('coat', COATS_OF_ALL)),
  ANIMALSEX: known('sex', SEX),
  SEX: known('sex', SEX_NUMBER),
  ...both(
    'ANIMALDOB',
    'DATEOFBIRTH',
    own('bornOn', (row, name) => row.day(name)),
  ),
  ANIMALAGE: own('ageGroup', ageOf),
  ...both('ANIMALNEUTERED', 'NEUTERED', known('spayedNeutered', FLAG)),
  ...both('ANIMALHASSPECIALNEEDS', 'HASSPECIALNEEDS', known('specialNeeds', FLAG)),
  ...both('ANIMALGOODWITHKIDS', 'ISGOODWITHCHILDREN', known('goodWith.children', ANSWER)),
  ...both('ANIMALGOODWITHDOGS', 'ISGOODWITHDOGS', known('goodWith.dogs', ANSWER)),
  ...both('ANIMALGOODWITHCATS', 'ISGOODWITHCATS', known('goodWith.cats', ANSWER)),
  ...both('ANIMALHOUSETRAINED', 'ISHOUSETRAINED', known('houseTrained', ANSWER)),
  ANIMALDESCRIPTION: TEXT,
  // What ASM3 itself publishes of an animal, which are its comments unless a shelter has chosen otherwise.
  WEBSITEMEDIANOTES: TEXT,
  ANIMALCOMMENTS: own('description', (row, name) =>
    row.has('WEBSITEMEDIANOTES') ? undefined : quoted(row, row.lines(name)),
  ),
  ANIMALIMAGE: column.photo(0),
  PHOTOURLS: own('photos', photosOf),
  ...deciding('ANIMALDECEASEDDATE', 'ANIMALNONSHELTER', 'ANIMALNOTFORADOPTION', 'MOVEMENTTYPE'),
  ...deciding('DECEASEDDATE', 'ISCOURTESY', 'NONSHELTERANIMAL', 'ACTIVEMOVEMENTTYPE', 'HASTRIALADOPTION'),
  ...deciding('HASACTIVERESERVE', 'HASPERMANENTFOSTER', 'ISNOTAVAILABLEFORADOPTION'),
};

/** A purebred has its breed twice, and two different ones are a mixed breed. */
function finish(values: RowValues, row: Row): RowValues {
  const { breeds = [], mixedBreed } = values.profile;
  const names = breeds.map((breed) => breed.toLowerCase());
  const different = breeds.filter((_, at) => names.indexOf(names[at] ?? '') === at);
  const profile = {
    ...values.profile,
    breeds: different.length === 0 ? undefined : different,
    mixedBreed: different.length > 1 ? true : mixedBreed,
  };
  return { ...values, status: statusOf(row), profile };
}

/** CSV of the shelter program ASM3 (sheltermanager.com): its own export, what it imports, and its service's. */
export const ASM3: ReadFormat = {
  reading: column.readingOf(COLUMNS, {
    // The service writes all that there is of an animal and of the people around it.
    isKnown: (name, header) => header.has(SERVICE_KEY) || NOT_READ.test(name),
    required: [['ANIMALCODE', SERVICE_KEY]],
    // With pictures in base64, which are left out.
    longestRecord: 16 * 1024 * 1024,
    hasFurtherRows: true,
    finish,
  }),
};
