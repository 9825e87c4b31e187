import { createHash } from 'node:crypto';
import type { JsonValue } from './idempotent-request.js';

/**
 * SHA-256 of an input in one form: members in the order of their names, those without a value left out. How the
 * client wrote it makes no difference, nor does the order in which code names the members.
 */
export function requestFingerprint(input: JsonValue): Buffer {
  return createHash('sha256').update(canonicalJson(input)).digest();
}

/** @throws {TypeError} for a number that JSON cannot write */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`JSON has no number ${value}.`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members += `,${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members.slice(1)}}`;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
