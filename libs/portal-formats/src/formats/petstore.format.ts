import { FLAT_FIELDS, type FlatField, type ValueKind } from '@petstore/pet-domain';
import type { Animal } from '../animal.js';
import { type Column, type Columns, memberOf, readingOf, writingOf } from '../columns.js';
import type { Format, RowValues } from '../format.js';
import type { Row } from '../row.js';
import { found } from '../text.js';

/** What separates the values of a column that has several; it cannot be part of one. */
const SEPARATOR = '|';

/** A text as it is; with white space around it that is no part of it unless it `isRaw`. */
const text = (member: string, isRaw = false): Column => ({
  member,
  read: (row, column) => (isRaw ? row.raw(column) : row.cell(column)),
  write: (animal) => memberOf(animal, member) as string | undefined,
});

const flag = (member: string): Column => ({
  member,
  read: (row, column) => {
    const cell = row.cell(column);
    const word = cell?.toLowerCase();
    if (cell !== undefined && word !== 'true' && word !== 'false')
      row.refuse(column, `must be true or false${found(cell)}`);
    return cell === undefined ? undefined : word === 'true';
  },
  write: (animal) => (memberOf(animal, member) as boolean | undefined)?.toString(),
});

const list = (
  member: string,
  valuesOf = (animal: Animal) => memberOf(animal, member) as readonly string[] | undefined,
): Column => ({
  member,
  read: (row, column) => row.raw(column)?.split(SEPARATOR),
  write: (animal) => valuesOf(animal)?.join(SEPARATOR),
});

const urlsOf = ({ profile }: Animal): readonly string[] | undefined => profile.photos?.map(({ url }) => url);
function descriptionsOf({ profile: { photos = [] } }: Animal): readonly string[] | undefined {
  return photos.some(({ description }) => description)
    ? photos.map(({ description = '' }) => description)
    : undefined;
}

/** A text of several lines, which a program may have ended in its own way. */
const lines = (member: string): Column => ({
  ...text(member, true),
  read: (row, column) => row.raw(column)?.replace(/\r\n?/g, '\n'),
});

/** How a value of each kind stands in a cell; numbers and objects are no members of a profile. */
const KINDS: Readonly<Partial<Record<ValueKind, (member: string) => Column>>> = {
  text: (member) => text(member, true),
  ascii: (member) => text(member),
  lines,
  flag,
  list: (member) => list(member),
};

const readReference: NonNullable<Column['read']> = (row, column) => row.reference(column, row.raw(column));

/** The column of a member of a profile, of which the domain has the declaration. */
function columnOf({ name, value, member, part }: FlatField): Column {
  if (name === 'photos') return list('profile.photos', urlsOf);
  if (name === 'photoDescriptions') return list(name, descriptionsOf);
  if (name === 'reference') return { ...text('profile.reference', true), read: readReference };
  const column = KINDS[value.kind];
  if (column === undefined) throw new Error(`${name} has no form in a cell.`);
  return column(part === undefined ? `profile.${member}` : `profile.${member}.${part}`);
}

const COLUMNS: Columns = {
  name: text('name', true),
  categoryId: text('categoryId'),
  status: text('status'),
  ...Object.fromEntries(FLAT_FIELDS.map((field) => [field.name, columnOf(field)])),
};

const LISTS = FLAT_FIELDS.flatMap(({ name, value }) => (value.kind === 'list' ? [name] : []));

/** Photos have two columns, and a fee has both or neither of two. */
function finish(values: RowValues, row: Row): RowValues {
  const { photoDescriptions = [], ...animal } = values as RowValues & {
    photoDescriptions?: readonly string[];
  };
  const { adoptionFee } = animal.profile;
  const urls = (animal.profile.photos ?? []) as unknown as readonly string[];
  for (const [part, column] of [
    ['amount', 'adoptionFeeAmount'],
    ['currency', 'adoptionFeeCurrency'],
  ] as const)
    if (adoptionFee !== undefined && adoptionFee[part] === undefined)
      row.refuse(column, 'is missing: a fee has an amount and a currency');
  if (photoDescriptions.length > urls.length)
    row.refuse(
      'photoDescriptions',
      `must not have more values than photos; it has ${photoDescriptions.length}, photos ${urls.length}`,
    );
  if (urls.length === 0) return animal;
  const photos = urls.map((url, at) => ({
    url,
    ...(photoDescriptions[at] && { description: photoDescriptions[at] }),
  }));
  return { ...animal, profile: { ...animal.profile, photos } };
}

function leaveOut(animal: Animal): string | undefined {
  const valuesOf = (name: string): readonly string[] => {
    if (name === 'photos') return urlsOf(animal) ?? [];
    if (name === 'photoDescriptions') return descriptionsOf(animal) ?? [];
    return (memberOf(animal, `profile.${name}`) ?? []) as readonly string[];
  };
  const wrong = LISTS.find((name) => valuesOf(name).some((value) => value.includes(SEPARATOR)));
  return wrong && `${wrong} has a value with ${SEPARATOR}: use NDJSON`;
}

/** Of the service itself: every member of an animal and its profile. */
export const PETSTORE: Format = {
  name: 'petstore',
  reading: readingOf(COLUMNS, { required: [['name'], ['categoryId']], longestRecord: 64 * 1024, finish }),
  writing: writingOf(COLUMNS, leaveOut, {
    hasHeader: true,
    isExact: true,
    takesPending: true,
    takesSold: true,
  }),
};
