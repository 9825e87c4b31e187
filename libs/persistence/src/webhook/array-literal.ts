/**
 * A PostgreSQL array in text form; `undefined` is NULL. The values are digits, words or quoted: nothing is escaped.
 */
export function arrayOf<T>(items: readonly T[], valueOf: (item: T) => string | number | undefined): string {
  return `{${items.map((item) => valueOf(item) ?? 'NULL').join(',')}}`;
}
