import { ageGroupOf, PETFINDER_AGES } from '../days.js';
import type { Format, RowValues } from '../format.js';
import type { Row } from '../row.js';
import { namesIn, wordsOf } from '../words.js';

/** What decides whether an animal is still for adoption. */
const STATUS_COLUMNS = namesIn('ANIMALDECEASEDDATE ANIMALNONSHELTER ANIMALNOTFORADOPTION MOVEMENTTYPE');

const COLUMNS = namesIn(`
  ANIMALCODE ANIMALNAME ANIMALSPECIES ANIMALBREED1 ANIMALBREED2 ANIMALCOLOR ANIMALSIZE ANIMALCOATTYPE
  ANIMALSEX ANIMALDOB ANIMALAGE ANIMALNEUTERED ANIMALHASSPECIALNEEDS ANIMALGOODWITHCATS ANIMALGOODWITHDOGS
  ANIMALGOODWITHKIDS ANIMALHOUSETRAINED ANIMALDESCRIPTION ANIMALCOMMENTS ANIMALIMAGE ${STATUS_COLUMNS.join(' ')}`);

/** What else ASM3 exports: about people, internal, or of no use to adopters. */
const NOT_READ = new RegExp(
  '^(?:COST|CURRENTVET|LOG|MEDICAL|ORIGINALOWNER|PERSON|TEST|VACCINATION|MOVEMENTDATE$|ANIMAL(?:ADDITIONAL|MICROCHIP|EUTHANIZED|' +
    'ID$|LITTER$|TYPE$|WEIGHT$|LOCATION$|UNIT$|WARNING$|HIDDENDETAILS$|HEALTHPROBLEMS$|MARKINGS$|REASONFORENTRY$|' +
    'NEUTEREDDATE$|ENTRY|DECEASED(?:REASON|NOTES)$|JURISDICTION$|PICKUP|TRANSFER$|GOODWITHELDERLY$|CRATETRAINED$|PDF|HTML))',
  'i',
);

/** Names, and ASM3's numbers. */
const SIZES = wordsOf({ small: '3, small', medium: '2, medium', large: '1, large', xlarge: '0, very large' });
const COATS = wordsOf({
  ...{
    hairless: 'hairless',
    short: 'short',
    medium: 'medium',
    long: 'long',
    wire: 'rough, wire',
    curly: 'curly',
  },
});
/** Movements by ASM3's names and numbers; with any other one the animal is still in the shelter's care. */
const MOVEMENTS = wordsOf({
  sold: '1, adoption',
  gone: '3, transfer, 4, escaped, 5, reclaimed, 6, stolen, 7, released to wild, 12, permanent foster',
  pending: '9, reservation, 11, trial adoption',
});

/** True unless the cell is 0 or begins with N; unknown when it is blank. */
function truth(row: Row, column: string): boolean | undefined {
  const cell = row.cell(column);
  return cell === undefined ? undefined : !/^(?:0$|n|f(?:alse)?$)/i.test(cell);
}

/** Y, N and U, or codes, of which 0 says yes and 1 no; all others say something in between. */
function goodWith(row: Row, column: string): boolean | undefined {
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

function sexOf(row: Row): string | undefined {
  const cell = row.cell('ANIMALSEX')?.toLowerCase() ?? '';
  if (cell.startsWith('m')) return 'male';
  return cell.startsWith('f') ? 'female' : undefined;
}

function read(row: Row): RowValues {
  const reference = row.text('ANIMALCODE');
  const bornOn = row.day('ANIMALDOB');
  const years = Number.parseFloat(row.cell('ANIMALAGE') ?? '');
  return {
    reference,
    name: row.text('ANIMALNAME'),
    status: statusOf(row),
    profile: {
      species: row.text('ANIMALSPECIES'),
      breeds: row.texts('ANIMALBREED1', 'ANIMALBREED2')?.map((breed) => breed.replaceAll('`', "'")),
      ageGroup:
        bornOn === undefined && years >= 0 ? ageGroupOf(Math.floor(years * 365), PETFINDER_AGES) : undefined,
      bornOn,
      sex: sexOf(row),
      size: SIZES[row.cell('ANIMALSIZE')?.toLowerCase() ?? ''],
      coat: COATS[row.cell('ANIMALCOATTYPE')?.toLowerCase() ?? ''],
      colors: row.texts('ANIMALCOLOR'),
      description: row.lines('ANIMALDESCRIPTION', 'ANIMALCOMMENTS'),
      goodWith: row.group({
        children: goodWith(row, 'ANIMALGOODWITHKIDS'),
        dogs: goodWith(row, 'ANIMALGOODWITHDOGS'),
        cats: goodWith(row, 'ANIMALGOODWITHCATS'),
      }),
      spayedNeutered: truth(row, 'ANIMALNEUTERED'),
      houseTrained: goodWith(row, 'ANIMALHOUSETRAINED'),
      specialNeeds: truth(row, 'ANIMALHASSPECIALNEEDS'),
      reference,
      photos: row.photos('ANIMALIMAGE'),
    },
  };
}

/** CSV of the shelter program ASM3 (sheltermanager.com): its own export, and what it imports. */
export const ASM3: Format = {
  name: 'asm3',
  reading: {
    columns: COLUMNS,
    notRead: NOT_READ,
    required: [['ANIMALCODE']],
    // With pictures in base64, which are left out.
    longestRecord: 16 * 1024 * 1024,
    hasFurtherRows: true,
    read,
  },
};
