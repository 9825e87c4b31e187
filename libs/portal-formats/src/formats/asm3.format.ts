import type { Column, Columns } from '../columns.js';
import * as column from '../columns.js';
import { ageGroupOf, PETFINDER_AGES } from '../days.js';
import type { Format } from '../format.js';
import type { Row } from '../row.js';
import { COAT, type Words, wordsOf } from '../words.js';

/** What else ASM3 exports: about people, internal, or of no use to adopters. */
const NOT_READ = new RegExp(
  '^(?:COST|CURRENTVET|LOG|MEDICAL|ORIGINALOWNER|PERSON|TEST|VACCINATION|MOVEMENTDATE$|ANIMAL(?:ADDITIONAL|MICROCHIP|EUTHANIZED|' +
    'ID$|LITTER$|TYPE$|WEIGHT$|LOCATION$|UNIT$|WARNING$|HIDDENDETAILS$|HEALTHPROBLEMS$|MARKINGS$|REASONFORENTRY$|' +
    'NEUTEREDDATE$|ENTRY|DECEASED(?:REASON|NOTES)$|JURISDICTION$|PICKUP|TRANSFER$|GOODWITHELDERLY$|CRATETRAINED$|PDF|HTML))',
  'i',
);

/** Names, and ASM3's numbers. */
const SIZES = wordsOf({ small: '3, small', medium: '2, medium', large: '1, large', xlarge: '0, very large' });
const COATS = { ...COAT, rough: 'wire' };
/** Movements by ASM3's names and numbers; with any other one the animal is still in the shelter's care. */
const MOVEMENTS = wordsOf({
  sold: '1, adoption',
  gone: '3, transfer, 4, escaped, 5, reclaimed, 6, stolen, 7, released to wild, 12, permanent foster, 13, tnr',
  pending: '9, reservation, 11, trial adoption',
});

/** True unless the cell is 0 or begins with N; unknown when it is blank. */
function truth(row: Row, column: string): boolean | undefined {
  const cell = row.cell(column);
  return cell === undefined ? undefined : !/^(?:0$|n|f(?:alse)?$)/i.test(cell);
}

/** Y, N and U, or codes, of which 0 says yes and 1 no; all others say something in between. */
function yesNo(row: Row, column: string): boolean | undefined {
  const cell = row.cell(column)?.toLowerCase() ?? '';
  if (cell === '0' || cell.startsWith('y')) return true;
  return cell === '1' || cell.startsWith('n') ? false : undefined;
}

/** `undefined` when the file does not say: without movements, an animal can be said to be gone only. */
function statusOf(row: Row): string | undefined {
  if (row.cell('ANIMALDECEASEDDATE') !== undefined || truth(row, 'ANIMALNONSHELTER') === true) return 'gone';
  const moved = MOVEMENTS[row.cell('MOVEMENTTYPE')?.toLowerCase() ?? ''];
  if (moved === 'sold' || moved === 'gone') return moved;
  if (truth(row, 'ANIMALNOTFORADOPTION') === true) return 'gone';
  return moved ?? (row.has('MOVEMENTTYPE') ? 'available' : undefined);
}

function sexOf(row: Row, column: string): string | undefined {
  const cell = row.cell(column)?.toLowerCase() ?? '';
  if (cell.startsWith('m')) return 'male';
  return cell.startsWith('f') ? 'female' : undefined;
}

/** By years, where there is no day of birth. */
function ageOf(row: Row, column: string): string | undefined {
  const years = Number.parseFloat(row.cell(column) ?? '');
  if (row.cell('ANIMALDOB') !== undefined || !(years >= 0)) return undefined;
  return ageGroupOf(Math.floor(years * 365), PETFINDER_AGES);
}

const own = (member: string, read: NonNullable<Column['read']>): Column => ({
  member: `profile.${member}`,
  read,
});
/** A word that ASM3 knows; any other one, of a shelter's own, says nothing. */
const known = (member: string, words: Words<string>): Column =>
  own(member, (row, name) => words[row.cell(name)?.toLowerCase() ?? '']);
/** A backtick stands for an apostrophe. */
const BREED = own('breeds', (row, name) => {
  const breed = row.text(name);
  return breed === undefined ? undefined : [breed.replaceAll('`', "'")];
});
const decides: Column = { read: () => undefined };

const COLUMNS: Columns = {
  ANIMALCODE: column.KEY,
  ANIMALNAME: column.text('name'),
  ANIMALSPECIES: column.text('profile.species'),
  ANIMALBREED1: BREED,
  ANIMALBREED2: BREED,
  ANIMALCOLOR: column.color(0),
  ANIMALSIZE: known('size', SIZES),
  ANIMALCOATTYPE: known('coat', COATS),
  ANIMALSEX: own('sex', sexOf),
  ANIMALDOB: column.day('profile.bornOn'),
  ANIMALAGE: own('ageGroup', ageOf),
  ANIMALNEUTERED: own('spayedNeutered', truth),
  ANIMALHASSPECIALNEEDS: own('specialNeeds', truth),
  ANIMALGOODWITHKIDS: own('goodWith.children', yesNo),
  ANIMALGOODWITHDOGS: own('goodWith.dogs', yesNo),
  ANIMALGOODWITHCATS: own('goodWith.cats', yesNo),
  ANIMALHOUSETRAINED: own('houseTrained', yesNo),
  ANIMALDESCRIPTION: column.lines('profile.description', String),
  ANIMALCOMMENTS: column.lines('profile.description', String),
  ANIMALIMAGE: column.photo(0),
  ...{
    ANIMALDECEASEDDATE: decides,
    ANIMALNONSHELTER: decides,
    ANIMALNOTFORADOPTION: decides,
    MOVEMENTTYPE: decides,
  },
};

/** CSV of the shelter program ASM3 (sheltermanager.com): its own export, and what it imports. */
export const ASM3: Format = {
  name: 'asm3',
  reading: column.readingOf(COLUMNS, {
    known: NOT_READ,
    required: [['ANIMALCODE']],
    // With pictures in base64, which are left out.
    longestRecord: 16 * 1024 * 1024,
    hasFurtherRows: true,
    finish: (values, row) => ({ ...values, status: statusOf(row) }),
  }),
};
