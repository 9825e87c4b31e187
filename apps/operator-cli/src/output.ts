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
export function wholeNumber(value: number): string {
  return value.toLocaleString('en-GB');
}
