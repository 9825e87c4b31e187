import {
  FLAT_FIELDS,
  flatPath,
  flatten,
  InvalidProfileError,
  unflatten,
  type ValueKind,
} from '@petstore/pet-domain';
import type { Animal, Profile } from '../animal.js';
import type { LeftOut, ReadFormat, RowValues, WrittenCells, WrittenFormat } from '../format.js';
import type { Row } from '../row.js';

/** What separates the values of a column that has several; it cannot be part of one. */
const SEPARATOR = '|';

const FLAGS = new Map([
  ['true', true],
  ['false', false],
]);

/** What a cell says, by the kind of the value in it. Texts are as they are, but for how a program has ended their lines. */
const CELLS: Readonly<Partial<Record<ValueKind, (row: Row, column: string) => unknown>>> = {
  text: (row, column) => row.raw(column),
  ascii: (row, column) => row.cell(column),
  lines: (row, column) => row.raw(column)?.replace(/\r\n?/g, '\n'),
  flag: (row, column) => row.word(FLAGS, column),
  list: (row, column) => row.raw(column)?.split(SEPARATOR),
};

const COLUMNS = ['name', 'categoryId', 'status', ...FLAT_FIELDS.map(({ name }) => name)];
const KINDS = new Map(FLAT_FIELDS.map(({ name, value }) => [name, value.kind]));

function profileOf(row: Row): Profile {
  try {
    return unflatten((name) =>
      name === 'reference'
        ? row.reference(name, row.raw(name))
        : CELLS[KINDS.get(name) ?? 'text']?.(row, name),
    );
  } catch (error) {
    if (!(error instanceof InvalidProfileError)) throw error;
    row.refuse(error.path, error.problem);
    return {};
  }
}

function read(row: Row): RowValues {
  const profile = profileOf(row);
  return {
    reference: profile.reference,
    hasNumber: row.has('reference'),
    name: row.raw('name'),
    categoryId: row.reference('categoryId', row.cell('categoryId')),
    status: row.cell('status'),
    profile,
  };
}

function write({ name, categoryId, status, profile }: Animal): WrittenCells | LeftOut {
  const cells: Record<string, string | undefined> = { name, categoryId, status };
  let wrong: string | undefined;
  // What is absent may be there as undefined.
  flatten(JSON.parse(JSON.stringify(profile)) as Profile, (column, value) => {
    const values = Array.isArray(value) ? (value as readonly string[]) : [];
    if (values.some((each) => each.includes(SEPARATOR))) wrong ??= column;
    cells[column] = Array.isArray(value) ? values.join(SEPARATOR) : String(value);
  });
  return wrong === undefined ? { cells } : { leftOut: `${wrong} has a value with ${SEPARATOR}: use NDJSON` };
}

/** Of the service itself: every member of an animal and its profile. */
export const PETSTORE: ReadFormat & WrittenFormat = {
  reading: {
    columns: COLUMNS,
    columnsOf: (path) => [flatPath(path.replace(/^profile\./, '')).replace(/\[.*/, '')],
    required: [['name'], ['categoryId']],
    longestRecord: 64 * 1024,
    read,
  },
  writing: {
    columns: COLUMNS,
    hasKey: false,
    hasHeader: true,
    isExact: true,
    takesPending: true,
    takesSold: true,
    write,
  },
};
