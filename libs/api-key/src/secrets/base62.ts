import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// The largest multiple of 62 in a byte: what lies above would make the first eight digits likelier.
const FAIR = 248;

/** `length` characters of the 62 letters and digits, each equally likely, from the system's random source. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < FAIR) text += DIGITS.charAt(byte % 62);
    }
  }
  return text;
}

/** A whole number from 0 up in base 62, filled up with zeros to `length` characters. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = DIGITS.charAt(rest % 62) + text;
  return text.padStart(length, '0');
}
