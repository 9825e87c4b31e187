import { stringify } from 'csv-stringify/sync';

/** One line for each row; every cell in quotation marks (RFC 4180), lines end with LF. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { quoted: true, quoted_empty: true, record_delimiter: '\n' },
  );
}

/** Control characters, but for the line feed. */
const CONTROL = /[^\P{Cc}\n]/gu;

/** The cells of a row in the order of the columns. */
export function rowOf(
  columns: readonly string[],
  cells: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return columns.map((column) => cells[column]?.replace(CONTROL, '') ?? '');
}
