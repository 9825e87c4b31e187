import { hash } from 'node:crypto';

/** A strong validator of an answer's body (RFC 9110, section 8.8.3): equal bodies have equal tags. */
export function entityTag(body: string | Uint8Array): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Whether an If-None-Match header field names this tag (RFC 9110, section 13.1.2). The comparison is weak:
 * caches on the way may have turned the tag into a weak one.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((candidate) => candidate.trim().replace(/^W\//, ''))
    .some((candidate) => candidate === tag || candidate === '*');
}
