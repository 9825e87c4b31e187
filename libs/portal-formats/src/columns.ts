import type { Members } from '@petstore/pet-domain';
import type { Animal } from './animal.js';
import { type AgeBands, ageGroupOf, daysBetween } from './days.js';
import type { Reading, RowValues, WriteOptions, Writing } from './format.js';
import type { Row } from './row.js';
import { capital, FLAG, INVERTED, rounded, type Words } from './words.js';

/** What is lost of an animal in a file. */
export interface Losses {
  /** Texts that the portal takes shorter only. */
  readonly shortened: string[];
  /** Further losses, in the same words for each animal. */
  readonly notes: string[];
}

/** What a column of a format is made of. */
export interface Column {
  /** Of the animal, such as `name` or `profile.goodWith.dogs`; of several columns the first with a value counts. */
  readonly member?: string;
  /** Absent in one that is not read. A list goes behind what other columns of the member have. */
  readonly read?: (row: Row, column: string) => unknown;
  /** Absent in one that is not written. */
  readonly write?: (animal: Animal, options: WriteOptions, losses: Losses) => string | undefined;
}

export type Columns = Readonly<Record<string, Column>>;

/** What a member of an animal is, by its path. */
function memberOf(animal: Animal, path: string): unknown {
  const step = (value: unknown, name: string): unknown => (value as Members | undefined)?.[name];
  return path.split('.').reduce(step, animal);
}

/** A text of an animal as a cell. */
function textOf(animal: Animal, member: string, toCell: ToCell): string | undefined {
  const value = memberOf(animal, member);
  return typeof value === 'string' ? toCell(value) : undefined;
}

type ToCell = (value: string) => string | undefined;
const asItIs: ToCell = (value) => value;

/** Columns of which nothing is known here. */
export const blank = (...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, fixed('')]));
/** Columns such as `photo1` to `photo4`. */
export const numbered = (name: string, most: number, columnOf: (at: number) => Column): Columns =>
  Object.fromEntries(Array.from({ length: most }, (_, at) => [`${name}${at + 1}`, columnOf(at)]));

/** Always the same cell. */
export const fixed = (cell: string): Column => ({ write: () => cell });
/** By which portals know an animal: its id when it is written, the source's own name when it is read. */
export const KEY: Column = {
  member: 'reference',
  read: (row, column) => row.reference(column),
  write: ({ id }) => id,
};

/** Columns whose cells are texts of an animal. */
const texts =
  (read: NonNullable<Column['read']>) =>
  (member: string, toCell = asItIs): Column => ({
    member,
    read,
    write: (animal) => textOf(animal, member, toCell),
  });

/** A text of one line. */
export const text = texts((row, column) => row.text(column));
/** A description. */
export const lines = texts((row, column) => row.lines(column));
export const day = texts((row, column) => row.day(column));

/** A shelter's own number of an animal. */
export const REFERENCE = texts((row, column) => row.reference(column))('profile.reference');

/** One of some words. @param toCell of our own word */
export const word = (member: string, words: Words<string>, toCell: ToCell = capital): Column =>
  texts((row, column) => row.word(words, column))(member, toCell);

/** Cells by our own word: `cellsOf({ male: 'M' })('male')` is `M`. */
export function cellsOf(cells: Readonly<Record<string, string>>): ToCell {
  const byWord = new Map(Object.entries(cells));
  return (word) => byWord.get(word);
}

/** @param yes the cell for true @param no the one for false */
export const flag = (member: string, yes: string, no: string, words: Words<boolean> = FLAG): Column => ({
  member,
  read: (row, column) => row.word(words, column),
  write: (animal) => {
    const value = memberOf(animal, member);
    return value === undefined ? undefined : value === true ? yes : no;
  },
});

/** Where a column says what is wrong: Petfinder's `NoDogs`. */
export const inverted = (member: string): Column => flag(member, '0', '1', INVERTED);

/** A flag that has no word for "unknown", which is written as false. */
export const decided = (member: string): Column => ({
  write: (animal) => (memberOf(animal, member) === true ? '1' : '0'),
});

/** The age group that is known, or that of the day of birth. */
export const age = (words: Words<string>, bands: AgeBands): Column => ({
  ...word('profile.ageGroup', words),
  write: ({ profile: { ageGroup, bornOn } }, { today }) =>
    capital(ageGroup ?? (bornOn === undefined ? undefined : ageGroupOf(daysBetween(bornOn, today), bands))),
});

/** What portals are known to take of a breed, in characters: names of animals may have as many. */
const LONGEST_BREED = 50;

/** Names of breeds and colors as the portal has them. Breeds are written whole: a part of one would be another breed. */
const named = (list: 'breeds' | 'colors', at: number): Column => ({
  member: `profile.${list}`,
  read: (row, column) => row.list(column),
  write: ({ profile }, { names }, { notes }) => {
    const ours = profile[list]?.[at];
    const name = ours === undefined ? undefined : (names?.get(ours.trim().toLowerCase()) ?? ours);
    if (list === 'breeds' && (name?.length ?? 0) > LONGEST_BREED)
      notes.push(`a breed has more than ${LONGEST_BREED} characters, and is written whole`);
    return name;
  },
});
export const breed = (at: number): Column => named('breeds', at);
export const color = (at: number): Column => named('colors', at);

/** The address of a photo. */
export const photo = (at: number): Column => ({
  member: 'profile.photos',
  read: (row, column) => row.photos(column),
  write: ({ profile }) => profile.photos?.[at]?.url,
});

/** A fee with so many digits behind the point; blank in a currency that is not the portal's, and when it is 0. */
export const fee = (decimals: number): Column => ({
  member: 'profile.adoptionFee',
  read: (row, column) => row.fee(column),
  write: ({ profile: { adoptionFee } }, { currency = 'USD' }, { notes }) => {
    if (adoptionFee?.currency === undefined || adoptionFee.currency === currency)
      return rounded(adoptionFee?.amount, decimals);
    notes.push(`the adoption fee in ${adoptionFee.currency} is blank: the portal counts in ${currency}`);
    return undefined;
  },
});

/** Why a portal would leave an animal out: what it needs and is not there. */
export function lacking(needed: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = Object.entries(needed).filter(([, value]) => value === undefined);
  return names.length === 0 ? undefined : names.map(([name]) => `it has no ${name}`).join(', ');
}

/** How the columns that have a `read` are read. @param finish for what no column says by itself */
export function readingOf(
  columns: Columns,
  {
    finish = (values) => values,
    ...others
  }: Omit<Reading, 'columns' | 'columnsOf' | 'read'> & {
    readonly finish?: (values: RowValues, row: Row) => RowValues;
  },
): Reading {
  const read = Object.entries(columns).filter(([, one]) => one.read !== undefined);
  const known = new Set(Object.keys(columns).map((column) => column.toUpperCase()));
  const numbers = read.filter(([, { member }]) => member === 'profile.reference');
  return {
    columns: read.map(([column]) => column),
    isKnown: (name) => known.has(name),
    columnsOf: (path) => {
      const whole = `${path.replace(/\[.*/, '')}.`;
      return read.flatMap(([column, { member = '' }]) => (whole.startsWith(`${member}.`) ? column : []));
    },
    ...others,
    read: (row) => {
      const draft = { hasNumber: numbers.some(([column]) => row.has(column)), profile: {} };
      for (const [column, { member, read: one }] of read)
        if (member !== undefined && row.has(column)) set(draft, member.split('.'), one?.(row, column));
      return finish(draft, row);
    },
  };
}

function set(draft: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  const there = draft[name];
  if (value === undefined) return;
  if (rest.length > 0) set((draft[name] ??= {}) as Record<string, unknown>, rest, value);
  else if (there === undefined) draft[name] = value;
  else if (Array.isArray(there) && Array.isArray(value))
    draft[name] = [...(there as unknown[]), ...(value as unknown[])];
}

/** How the columns that have a `write` are written. @param leaveOut why the file would not take an animal */
export function writingOf(
  columns: Columns,
  leaveOut: (animal: Animal) => string | undefined,
  others: Omit<Writing, 'columns' | 'hasKey' | 'write'>,
): Writing {
  const written = Object.entries(columns).flatMap(([column, { write }]) =>
    write === undefined ? [] : [[column, write] as const],
  );
  return {
    columns: written.map(([column]) => column),
    hasKey: Object.values(columns)[0] === KEY,
    ...others,
    write: (animal, options) => {
      const leftOut = leaveOut(animal);
      if (leftOut !== undefined) return { leftOut };
      const losses: Losses = { shortened: [], notes: [] };
      const cells = written.map(([column, write]) => [column, write(animal, options, losses)] as const);
      return { cells: Object.fromEntries(cells), ...losses };
    },
  };
}
