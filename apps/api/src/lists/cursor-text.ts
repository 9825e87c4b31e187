import { crc32 } from 'node:zlib';

/*
 * What cursors are made of: int64 values in base 36, and a check in front that makes one recognisable that was cut,
 * mistyped or stitched together. It is no secret: whoever forges a cursor reaches only a position that the list would
 * show anyway.
 */

/** Digits of the check. */
export const CHECK_LENGTH = 7;

/** Most digits, decimal and base 36, of numbers that a double holds exactly. BigInt takes ten times as long. */
const EXACT_DECIMAL = 15;
const EXACT_BASE36 = 10;

/** The payload of a cursor with its check in front. */
export function withCheck(payload: string): string {
  return crc32(payload).toString(36).padStart(CHECK_LENGTH, '0') + payload;
}

/** Whether the check of a cursor is right. */
export function isIntact(cursor: string): boolean {
  return Number.parseInt(cursor.slice(0, CHECK_LENGTH), 36) === crc32(cursor.slice(CHECK_LENGTH));
}

/** Decimal digits in base 36. */
export function toBase36(decimal: string): string {
  return decimal.length <= EXACT_DECIMAL ? Number(decimal).toString(36) : BigInt(decimal).toString(36);
}

/** Digits of base 36 as decimal ones. */
export function fromBase36(digits: string): string {
  if (digits.length <= EXACT_BASE36) return String(Number.parseInt(digits, 36));
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value.toString();
}
