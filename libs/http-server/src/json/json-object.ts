import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';

/** Digits, fraction and exponent of a JSON number (RFC 8259, section 6), without its sign. */
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** More digits than any int64 has; longer ones need not be counted out. */
const INT64_DIGITS = 19;

const ZERO = 0x30;

/** A number as written in a JSON text. Doubles would lose int64 values beyond 2^53. */
export class JsonNumber {
  constructor(readonly source: string) {}

  /**
   * The plain decimal digits of this number when its value is a whole number from 0 up that is not
   * longer than an int64, else `undefined`. The value counts, not the spelling: `1.0`, `1e0` and
   * `10e-1` are all `1`; `1e400` is not worked out.
   *
   * Takes time proportional to the length of the source, whatever it holds.
   */
  toDigits(): string | undefined {
    const [, sign, whole = '', fraction = '', exponent = '0'] = PARTS.exec(this.source) ?? [];
    const digits = whole + fraction;
    // A loop, because /0+$/ takes quadratic time on a run of zeros.
    let start = 0;
    while (digits.charCodeAt(start) === ZERO) start++;
    if (start === digits.length) return '0';
    if (sign === '-') return undefined;
    let end = digits.length;
    while (digits.charCodeAt(end - 1) === ZERO) end--;
    // value = significant digits * 10^zeros
    const zeros = Number(exponent) - fraction.length + (digits.length - end);
    if (zeros < 0 || end - start + zeros > INT64_DIGITS) return undefined;
    return digits.slice(start, end) + '0'.repeat(zeros);
  }
}

/** Deepest nesting of objects and arrays; far more than any client needs, far less than a stack holds. */
const MAX_DEPTH = 64;

/** A JSON text that the contract does not allow. */
export class JsonObjectError extends Error {
  override readonly name = 'JsonObjectError';
}

/**
 * Members of a JSON object, without a prototype. Numbers are `JsonNumber`s; those within objects and arrays are doubles,
 * because no int64 of the contract stands there.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads one JSON object (RFC 8259): UTF-8 only, nested at most 64 levels deep, no member name twice with different values
 * at any depth.
 *
 * @param wanted names of the members that are given back; all of them unless given
 * @throws JsonObjectError whose message names the problem in our own words
 */
export function parseJsonObject(bytes: Uint8Array, wanted?: readonly string[]): JsonObject {
  if (!isUtf8(bytes)) throw new JsonObjectError('The request body must be encoded in UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  // The parser calls itself for each level.
  if (isTooDeep(text)) {
    throw new JsonObjectError(`The request body may be nested at most ${MAX_DEPTH} levels deep.`);
  }
  const value = parseExact(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
    throw new JsonObjectError('The request body must be one JSON object.');
  const members = Object.create(null) as Record<string, unknown>;
  // The parser above makes a text of pieces of one character, each of which takes more memory than the character.
  const plain = JSON.parse(text) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    if (wanted?.includes(name) === false) continue;
    members[name] = member instanceof JsonNumber ? member : plain[name];
  }
  return members;
}

function parseExact(text: string): unknown {
  try {
    return parse(text, undefined, {
      parseNumber: (source) => new JsonNumber(source),
      onDuplicateKey: () => {
        throw new JsonObjectError('A JSON object may not hold the same member name twice.');
      },
    });
  } catch (error) {
    if (error instanceof JsonObjectError) throw error;
    if (error instanceof SyntaxError) throw new JsonObjectError('The request body must be well-formed JSON.');
    throw error;
  }
}

/** Counts brackets outside of strings; whether they match is the parser's to say. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') isInString = !isInString;
    else if (isInString) i += char === '\\' ? 1 : 0;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
