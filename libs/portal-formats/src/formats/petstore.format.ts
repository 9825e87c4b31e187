import {
  FLAT_FIELDS,
  flatPath,
  flatten,
  type Members,
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

function profileOf(row: Row): Profile {
  const flat = FLAT_FIELDS.map(({ name, value: { kind } }) => [
    name,
    name === 'reference' ? row.reference(name, row.raw(name)) : CELLS[kind]?.(row, name),
  ]);
  return unflatten(Object.fromEntries(flat) as Members, (path, problem) => {
    row.refuse(path, problem);
  });
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
  for (const [column, value] of Object.entries(flatten(profile))) {
    const values = [value].flat().map(String);
    if (Array.isArray(value) && values.some((each) => each.includes(SEPARATOR)))
      return { leftOut: `${column} has a value with ${SEPARATOR}: use NDJSON` };
    cells[column] = values.join(SEPARATOR);
  }
  return { cells };
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
