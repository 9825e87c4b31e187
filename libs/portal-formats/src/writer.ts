import { stringify } from 'csv-stringify/sync';
import type { Writing } from './format.js';

/** One line for each row; every cell in quotation marks (RFC 4180), lines end with LF. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { quoted: true, quoted_empty: true, record_delimiter: '\n' },
  );
}

/** Control characters, but for the line feed. */
const CONTROL = /[^\P{Cc}\n]/gu;

/** The cells of a row in the order of the columns; portals get no control characters. */
export function rowOf(
  { columns, isExact = false }: Pick<Writing, 'columns' | 'isExact'>,
  cells: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return columns.map((column) => (isExact ? cells[column] : cells[column]?.replace(CONTROL, '')) ?? '');
}
