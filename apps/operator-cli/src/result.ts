import { VisibleText } from '@petstore/api-key';
import stringWidth from 'string-width';
import { jsonLine, wholeNumber } from './output.js';

/** What has members with names. */
type Members = Readonly<Record<string, unknown>>;

/** What a command has found: JSON for scripts, and for people the same in lines and tables. */
export function resultText(result: object, json: boolean): string {
  if (json) return jsonLine(result);
  if (!Array.isArray(result)) return factsText(result);
  return result.length === 0 ? 'There is none.\n' : listText(result as readonly Members[]);
}

/** Each member of an object on a line, and below them a table for each list of objects. */
function factsText(result: object): string {
  const lists: string[] = [];
  const facts: string[][] = [];
  for (const [name, value] of Object.entries(result) as [string, unknown][])
    if (Array.isArray(value) && typeof value[0] === 'object')
      lists.push(`\n${name}\n${listText(value as readonly Members[])}`);
    else facts.push([name, cellOf(value)]);
  return table(facts) + lists.join('');
}

/** A table under the names of the members. */
function listText(list: readonly Members[]): string {
  const names = [...new Set(list.flatMap((members) => Object.keys(members)))];
  return table([names, ...list.map((members) => names.map((name) => cellOf(members[name])))]);
}

function cellOf(value: unknown): string {
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (typeof value === 'number') return wholeNumber(value);
  if (Array.isArray(value)) return value.map(cellOf).join(' ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${cellOf(member)}`)
      .join('; ');
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

/** Two spaces between the columns, nothing behind the last one; hidden characters are written as escapes. */
function table(rows: readonly (readonly string[])[]): string {
  const visible = rows.map((row) => row.map((cell) => VisibleText.escape(cell)));
  const widths: number[] = [];
  for (const row of visible)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell));
  const pad = (cell: string, column: number): string =>
    cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
  return visible.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
}
