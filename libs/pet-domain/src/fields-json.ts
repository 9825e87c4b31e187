import type { FieldKind, Fields } from './fields.js';

/** What stands in JSON text before each value, in the order of the fields, and after the last one. */
export function jsonPieces<T>(fields: Fields<T>): readonly string[] {
  const pieces: string[] = [];
  let open = '{';
  for (const [member, kind] of kindsOf(fields)) {
    pieces.push(`${open}"${member}":${quote(kind)}`);
    open = `${quote(kind)},`;
  }
  return [...pieces, open.replace(/,$/, '}')];
}

/**
 * Makes the function that writes a value of a resource as JSON text. The int64 members are written as the digits
 * that they are: JSON.stringify could only print them as strings or round them.
 */
export function jsonTextOf<T>(fields: Fields<T>): (value: T) => string {
  const pieces = jsonPieces(fields);
  const end = pieces.at(-1) ?? '';
  const values = kindsOf(fields).map(([member, kind], at) => ({
    member: member as keyof T,
    before: pieces[at] ?? '',
    isText: kind === 'text',
  }));
  return (value) => {
    let text = '';
    for (const { member, before, isText } of values) {
      const written = value[member] as string;
      text += before + (isText ? escaped(written) : written);
    }
    return text + end;
  };
}

/** Makes the function that writes those members of a value that it has, in the order of the fields. */
export function presentMembersJsonOf<T>(fields: Fields<T>): (value: T) => string {
  const kinds = kindsOf(fields);
  return (value) => {
    const members = kinds.flatMap(([member, kind]) => {
      const written = value[member as keyof T] as string | undefined;
      if (written === undefined) return [];
      return `"${member}":${quote(kind)}${kind === 'text' ? escaped(written) : written}${quote(kind)}`;
    });
    return `{${members.join(',')}}`;
  };
}

function kindsOf<T>(fields: Fields<T>): [member: string, kind: FieldKind][] {
  return Object.entries<FieldKind>(fields);
}

function quote(kind: FieldKind): string {
  return kind === 'int64' || kind === 'json' ? '' : '"';
}

/** A text has no control characters and no lone surrogates, so that only two characters need an escape. */
function escaped(text: string): string {
  return text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text;
}
