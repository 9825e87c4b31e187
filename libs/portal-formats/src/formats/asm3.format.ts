import { ageGroupOf, PETFINDER_AGES } from '../days.js';
import type { Format, RowValues } from '../format.js';
import type { Row } from '../row.js';

/** What decides whether an animal is still for adoption. */
const STATUS_COLUMNS = ['ANIMALDECEASEDDATE', 'ANIMALNONSHELTER', 'ANIMALNOTFORADOPTION', 'MOVEMENTTYPE'];

const COLUMNS = [
  ...[
    'ANIMALCODE',
    'ANIMALNAME',
    'ANIMALSPECIES',
    'ANIMALBREED1',
    'ANIMALBREED2',
    'ANIMALCOLOR',
    'ANIMALSIZE',
  ],
  ...['ANIMALCOATTYPE', 'ANIMALSEX', 'ANIMALDOB', 'ANIMALAGE', 'ANIMALNEUTERED', 'ANIMALHASSPECIALNEEDS'],
  ...['ANIMALGOODWITHCATS', 'ANIMALGOODWITHDOGS', 'ANIMALGOODWITHKIDS', 'ANIMALHOUSETRAINED'],
  ...['ANIMALDESCRIPTION', 'ANIMALCOMMENTS', 'ANIMALIMAGE', ...STATUS_COLUMNS],
];

const SIZES: Readonly<Record<string, string>> = {
  ...{ '0': 'xlarge', '1': 'large', '2': 'medium', '3': 'small' },
  ...{ 'very large': 'xlarge', large: 'large', medium: 'medium', small: 'small' },
};
const COATS: Readonly<Record<string, string>> = {
  ...{ short: 'short', medium: 'medium', long: 'long', rough: 'wire', wire: 'wire' },
  ...{ curly: 'curly', hairless: 'hairless' },
};
/** Movements by ASM3's names and numbers; any other one has not left the shelter's care for good. */
const MOVEMENTS: Readonly<Record<string, string>> = {
  ...{ '1': 'sold', adoption: 'sold', '3': 'gone', transfer: 'gone', '4': 'gone', escaped: 'gone' },
  ...{ '5': 'gone', reclaimed: 'gone', '6': 'gone', stolen: 'gone', '7': 'gone', 'released to wild': 'gone' },
  ...{ '9': 'pending', reservation: 'pending', '11': 'pending', 'trial adoption': 'pending' },
  ...{ '12': 'gone', 'permanent foster': 'gone', '13': 'gone', tnr: 'gone' },
};

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

/** `undefined` when the file does not say. */
function statusOf(row: Row): string | undefined {
  if (!row.has(...STATUS_COLUMNS)) return undefined;
  if (row.cell('ANIMALDECEASEDDATE') !== undefined || truth(row, 'ANIMALNONSHELTER') === true) return 'gone';
  const moved = MOVEMENTS[row.cell('MOVEMENTTYPE')?.toLowerCase() ?? ''];
  if (moved === 'sold' || moved === 'gone') return moved;
  if (truth(row, 'ANIMALNOTFORADOPTION') === true) return 'gone';
  return moved ?? 'available';
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
    required: [['ANIMALCODE']],
    // With pictures in base64, which are left out.
    longestRecord: 16 * 1024 * 1024,
    hasFurtherRows: true,
    read,
  },
};
