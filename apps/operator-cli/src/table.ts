import { VisibleText } from '@petstore/api-key';
import stringWidth from 'string-width';

/**
 * Rows under each other, two spaces between the columns, nothing behind the last one. Hidden characters of a cell are
 * written as escapes.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const visible = rows.map((row) => row.map((cell) => VisibleText.escape(cell)));
  const widths: number[] = [];
  for (const row of visible)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell));
  const pad = (cell: string, column: number): string =>
    cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
  return visible.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}
