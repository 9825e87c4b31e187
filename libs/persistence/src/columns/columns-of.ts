import type { FieldKind, Fields } from '@petstore/pet-domain';
import { getMetadataArgsStorage } from 'typeorm';

/** One column of a statement: where a field of a resource is kept. */
export interface Column {
  /** Of the resource, and of the row class. */
  readonly member: string;
  readonly kind: FieldKind;
  /** In the table. */
  readonly name: string;
  /** Of PostgreSQL. */
  readonly type: string;
}

/**
 * The columns in which the fields of a resource are kept, in the order of the fields. Their names and types are those
 * that the row class declares.
 *
 * @throws when the row class has no column for a field
 */
export function columnsOf<T>(row: abstract new () => object, fields: Fields<T>): readonly Column[] {
  const declared = getMetadataArgsStorage().columns.filter(({ target }) => target === row);
  return Object.entries<FieldKind>(fields).map(([member, kind]) => {
    const column = declared.find(({ propertyName }) => propertyName === member);
    const type = column?.options.type;
    if (typeof type !== 'string') throw new Error(`${row.name} has no column of a named type for ${member}.`);
    return { member, kind, name: column?.options.name ?? member, type };
  });
}

/** The names of columns as a statement lists them. */
export function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** A parameter for each column: `$1, $2`. */
export function parametersOf(columns: readonly Column[]): string {
  return columns.map((_, at) => `$${at + 1}`).join(', ');
}

/** A list of words as SQL has it: `'available', 'sold'`. */
export function wordsOf(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

/** What a value holds for each column. */
export function valuesOf(columns: readonly Column[], value: object): (string | null)[] {
  return columns.map(({ member }) => (value as Readonly<Record<string, string>>)[member] ?? null);
}
