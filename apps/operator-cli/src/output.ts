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

/** A line for people; hidden characters are written as escapes, line ends too. */
export function textLine(text: string): string {
  return `${VisibleText.escape(text)}\n`;
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
