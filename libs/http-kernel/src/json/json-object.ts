import { isUtf8 } from 'node:buffer';
import { JsonObjectError } from './json-object.error.js';
import { JsonScanner } from './json-scanner.js';

/** Members of a JSON object, without a prototype: numbers are `JsonNumber`s, objects and arrays `JsonText`s. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads one JSON object (RFC 8259) with the care that an exact contract needs: UTF-8 only, no member
 * name twice at any depth, bounded nesting, and numbers kept as they were written.
 *
 * @param wanted names of the members that are given back; the others are checked like them, and cost no more
 * than that. All of them unless said.
 * @throws JsonObjectError whose message names the problem in our own words
 */
export function parseJsonObject(bytes: Uint8Array, wanted?: readonly string[]): JsonObject {
  if (!isUtf8(bytes)) throw new JsonObjectError('The request body must be encoded in UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const members = Object.create(null) as Record<string, unknown>;
  const isObject = new JsonScanner(text, wanted, (name, value) => {
    members[name] = value;
  }).scan();
  if (!isObject) throw new JsonObjectError('The request body must be one JSON object.');
  return members;
}
