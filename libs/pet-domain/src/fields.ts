import type { Value, ValueOf } from './value.js';
import { objectOf } from './values.js';

/**
 * How the value of a field is written.
 *
 * - `int64`: decimal digits, in JSON without quotation marks.
 * - `number`: a number that a double holds.
 * - `text`: any text without control characters and lone surrogates; in JSON only quotation marks and backslashes are
 *   escaped.
 * - `json`: JSON text, which is written as it is.
 * - `ascii`: ASCII letters, digits and signs that never need an escape.
 * - `instant`: a `Date`; in JSON RFC 3339 in UTC with milliseconds.
 * - `list`: texts in their order.
 */
export type FieldKind = 'int64' | 'number' | 'text' | 'json' | 'ascii' | 'instant' | 'list';

const WRITERS: Readonly<Record<FieldKind, (value: never) => string>> = {
  int64: (digits: string) => digits,
  number: String,
  json: (text: string) => text,
  ascii: (text: string) => `"${text}"`,
  text: (text: string) =>
    `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`,
  instant: (instant: Date) => `"${instant.toISOString()}"`,
  list: (texts: readonly string[]) => JSON.stringify(texts),
};

/** A value of a field that a resource may lack. */
export type OptionalValue<T> = Value<T> & { readonly isOptional: true };

/** A field that a resource may lack. */
export function optional<T>(value: Value<T>): OptionalValue<T> {
  return { ...value, isOptional: true };
}

/**
 * The one declaration of the fields of a resource, in the order in which its JSON has them. The JSON text, in TypeScript and
 * in SQL, the columns of statements, and what tools are told of them are made from it. The compiler checks that no member is
 * missing, and that those that may be absent are {@link optional}.
 */
export type Fields<T> = {
  readonly [Member in keyof T & string]-?: T[Member] extends NonNullable<T[Member]>
    ? Value<T[Member]> & { readonly isOptional?: false }
    : OptionalValue<NonNullable<T[Member]>>;
};

/** The fields of some resource, or of a part of one. */
export type FieldDeclarations = Readonly<Record<string, Value<unknown> & { readonly isOptional?: boolean }>>;

export interface Field {
  readonly member: string;
  readonly kind: FieldKind;
  readonly isOptional: boolean;
}

/** The fields of a declaration in their order. @throws {Error} for a kind of value that is in no resource yet */
export function fieldsOf(fields: FieldDeclarations): readonly Field[] {
  return Object.entries(fields).map(([member, { kind, isOptional = false, schema }]) => {
    if (!(kind in WRITERS) || (kind === 'list' && schema.items?.type !== 'string'))
      throw new Error(`${member} is of a kind that is not written yet: ${kind}.`);
    return { member, kind: kind as FieldKind, isOptional };
  });
}

/** What has these fields. */
type ResourceOf<F extends FieldDeclarations> = {
  readonly [Name in keyof F]: ValueOf<F[Name]> | (F[Name]['isOptional'] extends true ? undefined : never);
};

/** An object with these fields, of which all but the optional ones are always there. */
export function resourceOf<F extends FieldDeclarations>(fields: F): Value<ResourceOf<F>> {
  const needed = Object.keys(fields).filter((name) => fields[name]?.isOptional !== true);
  return objectOf(fields, needed) as Value<ResourceOf<F>>;
}

/**
 * Makes the function that writes the members of a value as JSON text, in the order of the fields and without white space;
 * absent ones are left out, `null` as well as `undefined`. The int64 members are written as the digits that they are: JSON.stringify could only print
 * them as strings or round them.
 */
export function jsonTextOf<T>(fields: Fields<T>): (value: Partial<T>) => string {
  const members = fieldsOf(fields).map(({ member, kind }) => ({
    member: member as keyof T,
    name: `"${member}":`,
    write: WRITERS[kind],
  }));
  return (value) => {
    let text = '';
    for (const { member, name, write } of members) {
      const written = value[member];
      if (written === undefined || written === null) continue;
      text += `${text === '' ? '' : ','}${name}${write(written as never)}`;
    }
    return `{${text}}`;
  };
}
