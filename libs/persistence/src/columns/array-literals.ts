import type { Column } from './columns-of.js';

/** Parameters that make a table of one array for each column: `$1::text[], $2::bigint[]`. */
export function arrayParameters(columns: readonly Column[]): string {
  return columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ');
}

/** One array literal for each column (PostgreSQL manual, 8.15.6, "Array Input and Output Syntax"). */
export function arrayLiterals(columns: readonly Column[], values: readonly object[]): string[] {
  return columns.map(({ member, kind }) => {
    let literal = '';
    let comma = '{';
    for (const value of values) {
      const text = (value as Readonly<Record<string, string>>)[member] ?? '';
      literal += kind === 'text' ? `${comma}"${escaped(text)}"` : comma + text;
      comma = ',';
    }
    return values.length === 0 ? '{}' : `${literal}}`;
  });
}

/**
 * A PostgreSQL array in text form (manual, 8.15.2, "Array Value Input"); `undefined` is NULL. The values are digits, words or quoted: nothing is escaped.
 */
export function plainArrayLiteral<T>(
  items: readonly T[],
  valueOf: (item: T) => string | number | undefined,
): string {
  return `{${items.map((item) => valueOf(item) ?? 'NULL').join(',')}}`;
}

function escaped(text: string): string {
  return text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text;
}
