import { styleText } from 'node:util';
import { VisibleText } from '@petstore/api-key';
import { Option } from 'commander';

/** Taken by every command that has a result for scripts. */
export const JSON_OPTION = new Option('--json', 'print JSON on one line, for scripts').default(false);

export interface JsonOptions {
  readonly json: boolean;
}

/** JSON on one line, so that it is found among the lines that npm prints; hidden characters are written as escapes. */
export function jsonLine(value: unknown): string {
  return `${VisibleText.escapeJson(JSON.stringify(value))}\n`;
}

/** The styles in use. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Styles text for a person at a terminal; returns it unchanged for all other readers. */
export type Palette = (style: Style, text: string) => string;

/** @param colour whether there is such a person */
export function palette(colour: boolean): Palette {
  if (!colour) return (_, text) => text;
  // Whether the terminal shows colours was decided by the caller, not by the state of process.stdout.
  return (style, text) => styleText(style, text, { validateStream: false });
}

/** `███░░░░░░░`: so many of so many cells. */
export function bar(cells: number, total: number, style: Style, paint: Palette): string {
  return paint(style, '█'.repeat(cells)) + paint('dim', '░'.repeat(total - cells));
}

/** `100,000`. */
export function wholeNumber(value: number | bigint): string {
  return value.toLocaleString('en-GB');
}

/** `2027-01-31 18:00 UTC`. */
export function moment(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const STEPS = [
  { unit: 'd', size: 86_400_000 },
  { unit: 'h', size: 3_600_000 },
  { unit: 'min', size: 60_000 },
] as const;

/** `5 min`, `3 h`, `12 d`: the distance between two moments, rounded down. */
export function distance(milliseconds: number): string {
  for (const { unit, size } of STEPS) {
    if (milliseconds >= size) return `${Math.floor(milliseconds / size)} ${unit}`;
  }
  return `${Math.max(0, Math.floor(milliseconds / 1000))} s`;
}

/** `5 min ago`. */
export function ago(date: Date, now: Date): string {
  return `${distance(now.getTime() - date.getTime())} ago`;
}
