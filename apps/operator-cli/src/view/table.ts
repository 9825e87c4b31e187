import { stripVTControlCharacters } from 'node:util';
import type { Palette } from './format.js';

// Terminals give these two columns.
const WIDE = /\p{Emoji_Presentation}|[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\uFF01-\uFF60]/u;

const graphemes = new Intl.Segmenter();

/** Columns that a text takes on a terminal, colours not counted. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) {
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Rows under each other, two spaces between the columns, nothing behind the last one. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))));
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
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
