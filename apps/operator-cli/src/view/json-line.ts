import { VisibleText } from '@petstore/api-key';

/** One line, so that it is found again among the lines that npm prints; whatever is not seen is written as an escape. */
export function jsonLine(value: unknown): string {
  return `${VisibleText.escapeJson(JSON.stringify(value))}\n`;
}
