import { type Field, type FieldKind, type Fields, fieldsOf } from '@petstore/pet-domain';
import { types } from 'pg';
import { type ColumnType, EntitySchema, type ValueTransformer } from 'typeorm';
import type { TextRow } from '../pipelined-pool/statement.js';

/** Where a field of a resource is kept. */
export interface Column extends Field {
  /** In the table. */
  readonly name: string;
  /** Of PostgreSQL. */
  readonly type: string;
}

/** Types of PostgreSQL. A bigint arrives as its decimal digits and stays so. */
const TYPES: Readonly<Record<FieldKind, string>> = {
  int64: 'bigint',
  number: 'integer',
  text: 'text',
  ascii: 'text',
  json: 'text',
  instant: 'timestamptz',
  list: 'text[]',
};

/**
 * The columns in which the fields of a resource are kept, in the order of the fields, so that neither statements nor TypeORM
 * need a list of their own. `createdAt` is kept in `created_at`.
 *
 * @param renamed the columns with another name, by their field
 */
export function columnsOf<T>(
  fields: Fields<T>,
  renamed: { readonly [Member in keyof T]?: string } = {},
): readonly Column[] {
  return fieldsOf(fields).map((field) => {
    const { member, kind } = field;
    const name =
      renamed[member as keyof T] ?? member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { ...field, name, type: TYPES[kind] };
  });
}

/** A table of these columns, as TypeORM knows it. @param target class of its rows, whose name is that of the entity */
export function entityOf<T>(
  target: new (...args: never[]) => T,
  tableName: string,
  columns: readonly Column[],
): EntitySchema<T> {
  const declared = columns.map(({ member, name, type }) => [
    member,
    { name, type: type as ColumnType, primary: member === 'id' },
  ]);
  return new EntitySchema<T>({
    ...{ name: target.name, target, tableName },
    columns: Object.fromEntries(declared) as never,
  });
}

/** `id, category_id` */
export function names(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** `id, category_id as "categoryId"`: rows have the members of the resource. */
export function selected(columns: readonly Column[]): string {
  return columns.map(({ name, member }) => (name === member ? name : `${name} as "${member}"`)).join(', ');
}

/** `$1, $2` */
export function parameters(columns: readonly Column[]): string {
  return columns.map((_, at) => `$${at + 1}`).join(', ');
}

/** `$1::text[], $2::bigint[]`: one array for each column, for `unnest`. */
export function arrayParameters(columns: readonly Column[]): string {
  return columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ');
}

/**
 * The statement that updates many rows by their id, the first column. Takes one array for each column, see
 * {@link arraysOf}.
 */
export function updateAll(table: string, columns: readonly Column[]): string {
  const [id, ...others] = columns.map(({ name }) => name);
  const changes = others.map((name) => `${name} = changed.${name}`);
  return `update ${table} set ${changes.join(', ')}
    from unnest(${arrayParameters(columns)}) changed (${names(columns)}) where ${table}.${id} = changed.${id}`;
}

/** The values of a resource in the order of the columns. */
export function valuesOf(columns: readonly Column[], value: object): unknown[] {
  return columns.map(({ member }) => (value as Readonly<Record<string, unknown>>)[member] ?? null);
}

/** One array for each column, see {@link arrayParameters}. */
export function arraysOf(columns: readonly Column[], values: readonly object[]): unknown[][] {
  return columns.map(({ member }) =>
    values.map((value) => (value as Readonly<Record<string, unknown>>)[member] ?? null),
  );
}

/** A row without the members that are NULL, which are absent in a resource. */
export function withoutNulls<Row extends object>(
  row: Row,
): { [Member in keyof Row]: Exclude<Row[Member], null> } {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(present) as { [Member in keyof Row]: Exclude<Row[Member], null> };
}

/** What PostgreSQL's text of a value becomes; of other kinds it is the value. */
const FROM_TEXT: Readonly<Partial<Record<FieldKind, (text: string) => unknown>>> = {
  instant: types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date,
  number: Number,
};

/** The members of a resource in a row of the pipelined pool that has these columns in their order, but for NULL. */
export function fromTextRow(columns: readonly Column[], row: TextRow): object {
  const members = columns.flatMap(({ member, kind }, at) => {
    const text = row[at];
    return typeof text === 'string' ? [[member, FROM_TEXT[kind]?.(text) ?? text]] : [];
  });
  return Object.fromEntries(members) as object;
}

/*
 * How TypeORM reads and writes what the domain and the tables keep in different forms. A bigint has none: it stays the
 * text of its digits.
 */

/** NULL in the table, `undefined` in the domain. */
export const OPTIONAL: ValueTransformer = {
  to: (value: unknown) => value ?? null,
  from: (value: unknown) => value ?? undefined,
};

/** A bigint that counts, and stays below 2^53. */
export const COUNT: ValueTransformer = { to: (value: unknown) => value, from: Number };
