import { JsonNumber } from './json-number.js';

/** Deepest nesting of objects and arrays; far more than any client needs, far less than a stack holds. */
export const MAX_JSON_DEPTH = 64;

/** A JSON text that is not what the contract asks for. */
export class JsonObjectError extends Error {
  override readonly name = 'JsonObjectError';
}

/** Members of a JSON object; numbers directly in it are {@link JsonNumber}s. */
export type JsonObject = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads one JSON object (RFC 8259) with the care that an exact contract needs: UTF-8 only, no member
 * name twice at any depth, bounded nesting, and numbers kept as they were written.
 *
 * JSON.parse judges the grammar and makes the values; {@link scan} then walks the text, which is
 * known to be well-formed, for what JSON.parse does not tell.
 *
 * @throws JsonObjectError whose message names the problem in our own words
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new JsonObjectError('The request body must be encoded in UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonObjectError('The request body must be well-formed JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new JsonObjectError('The request body must be one JSON object.');
  }
  const members = value as Record<string, unknown>;
  for (const [name, source] of scan(text)) {
    Object.defineProperty(members, name, { value: new JsonNumber(source), enumerable: true });
  }
  return members;
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** Walks well-formed JSON; gives the source of every number directly in the outermost object, by name. */
function scan(text: string): Map<string, string> {
  const numbers = new Map<string, string>();
  // The names seen in each object that is open; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let name = '';
  let expectsName = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '{' || char === '[') {
      if (open.length === MAX_JSON_DEPTH) {
        throw new JsonObjectError(`The request body may be nested at most ${MAX_JSON_DEPTH} levels deep.`);
      }
      open.push(char === '{' ? new Set() : undefined);
      expectsName = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
      expectsName = false;
    } else if (char === ',') {
      expectsName = open.at(-1) !== undefined;
    } else if (char === '"') {
      const literal = match(STRING, text, i);
      i += literal.length - 1;
      if (!expectsName) continue;
      name = JSON.parse(literal) as string;
      const names = open.at(-1);
      if (names?.has(name))
        throw new JsonObjectError('A JSON object may not hold the same member name twice.');
      names?.add(name);
      expectsName = false;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const literal = match(NUMBER, text, i);
      i += literal.length - 1;
      if (open.length === 1) numbers.set(name, literal);
    }
  }
  return numbers;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
