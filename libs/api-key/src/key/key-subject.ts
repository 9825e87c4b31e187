import type { KeyId } from './key-id.js';

const PREFIX = 'key:';

/** What rate limiters count a key under, in every process: `key:` and its id. */
export function subjectIdOf(keyId: KeyId): string {
  return PREFIX + keyId;
}

/** The key that a rate limiter counts under this name; `undefined` for an address. */
export function keyIdOfSubject(subjectId: string): KeyId | undefined {
  return subjectId.startsWith(PREFIX) ? (subjectId.slice(PREFIX.length) as KeyId) : undefined;
}
