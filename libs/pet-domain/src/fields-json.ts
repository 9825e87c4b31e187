import { type FieldKind, type Fields, fieldsOf } from './fields.js';

/**
 * Makes the function that writes the members of a value as JSON text, in the order of the fields and without white space;
 * absent ones are left out. The int64 members are written as the digits that they are: JSON.stringify could only print
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
      if (written !== undefined) text += `${text === '' ? '' : ','}${name}${write(written as never)}`;
    }
    return `{${text}}`;
  };
}

const WRITERS: Readonly<Record<FieldKind, (value: never) => string>> = {
  int64: (digits: string) => digits,
  json: (text: string) => text,
  word: (word: string) => `"${word}"`,
  text: (text: string) =>
    `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`,
  instant: (instant: Date) => `"${instant.toISOString()}"`,
};
