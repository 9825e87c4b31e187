import { hash } from 'node:crypto';

/** Longest token that is kept as it was sent, in characters; a UUID has 36. */
const LONGEST_KEPT = 43;

/**
 * What is kept of a token: the token itself, or the SHA-256 of a longer one, so that no row is five
 * times as large as it needs to be. A kept hash is longer than any token that is kept as it is.
 */
export function keptToken(token: string): string {
  return token.length <= LONGEST_KEPT ? token : `sha256:${hash('sha256', token, 'base64url')}`;
}
