import stringWidth from 'string-width';
import type { Palette } from './output.js';

/** Rows under each other, two spaces between the columns, nothing behind the last one. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell))));
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}

/** A table under bold headings. */
export function listTable(paint: Palette, headings: readonly string[], rows: readonly string[][]): string {
  return table([headings.map((heading) => paint('bold', heading)), ...rows]);
}

/** A table of labels, dimmed, and what stands for each. */
export function factTable(paint: Palette, facts: readonly (readonly [string, string])[]): string {
  return table(facts.map(([label, value]) => [paint('dim', label), value]));
}
