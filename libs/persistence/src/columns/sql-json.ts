import type { FieldKind } from '@petstore/pet-domain';

/** A member of a JSON object that the database writes. */
export interface SqlJsonMember {
  readonly member: string;
  /** `instant`: a timestamptz, written in RFC 3339 in UTC with milliseconds. */
  readonly kind: FieldKind | 'instant';
  /** SQL of the value. */
  readonly value: string;
  /** Left out where the value is NULL. */
  readonly isOptional?: boolean;
}

/**
 * SQL of a JSON object with these members, in their order and without white space, byte for byte what `jsonTextOf`
 * writes: a text has no control characters, so that only two characters need an escape. The first member is not
 * optional.
 */
export function sqlJsonOf(members: readonly SqlJsonMember[]): string {
  const parts = members.map(({ member, kind, value, isOptional = false }, at) => {
    const part = `'${at === 0 ? '{' : ','}"${member}":' || ${written(kind, value)}`;
    return isOptional ? `case when ${value} is null then '' else ${part} end` : part;
  });
  return `${parts.join(' || ')} || '}'`;
}

function written(kind: SqlJsonMember['kind'], value: string): string {
  switch (kind) {
    case 'int64':
    case 'json':
      return value;
    case 'text':
      return `'"' || ${escaped(value)} || '"'`;
    case 'word':
      return `'"' || ${value} || '"'`;
    case 'instant':
      return `'"' || ${instant(value)} || '"'`;
  }
}

/** The same with and without `standard_conforming_strings`. */
function escaped(value: string): string {
  return String.raw`replace(replace(${value}, E'\\', E'\\\\'), '"', E'\\"')`;
}

/** SQL of an instant as the API writes it: RFC 3339 in UTC with milliseconds. */
export function instant(value: string): string {
  return `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
