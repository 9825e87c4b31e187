import { createHash, hash } from 'node:crypto';
import { text } from '@petstore/pet-domain';

/** Milliseconds for which a request is remembered: 24 hours, by the database's clock. */
export const REMEMBERED_FOR_MS = 24 * 60 * 60 * 1000;

const MAX_TOKEN_LENGTH = 255;
const TOKEN = /^[!-~]+$/;

/** A token that names a request: an `Idempotency-Key`, or the token of an import. */
export const IDEMPOTENCY_TOKEN = text({
  description: `1 to ${MAX_TOKEN_LENGTH} visible ASCII characters`,
  parse: (token) => (token.length <= MAX_TOKEN_LENGTH && TOKEN.test(token) ? token : undefined),
  schema: { minLength: 1, maxLength: MAX_TOKEN_LENGTH, pattern: TOKEN.source },
});

/** The first request with this token is being carried out at this moment; nothing was changed. */
export class RequestInProgressError extends Error {
  override readonly name = 'RequestInProgressError';
}

/** The token was used for another operation or input; nothing was changed. */
export class TokenReusedError extends Error {
  override readonly name = 'TokenReusedError';
}

/** Names a request of a caller, so that it is recognised when it is sent again. */
export interface IdempotencyKey {
  /** Whose request it is; others may use the same token for theirs. */
  readonly caller: string;
  /** As the caller chose it; one namespace over all operations. */
  readonly token: string;
  /** Id of the API operation, such as `createPet`. */
  readonly operation: string;
}

/**
 * The validated input of a request in plain JSON values. A later version that adds a member omits it where a client has
 * not sent it, so that requests are recognised during a rollout.
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** What has been created, as the first response said it and the next ones repeat it byte for byte. */
export interface StoredResponse {
  /** The body. */
  readonly json: string;
  readonly location: string;
}

/** Longest token that is stored as it was sent, in characters; a UUID has 36. */
const LONGEST_STORED = 43;

/**
 * What is stored of a token: the token itself, or the SHA-256 of a longer one, so that no row is five
 * times as large as it needs to be. A stored hash is longer than any token that is stored as it is.
 */
export function storedToken(token: string): string {
  return token.length <= LONGEST_STORED ? token : `sha256:${hash('sha256', token, 'base64url')}`;
}

/**
 * SHA-256 of an input in one form: members in the order of their names, those without a value left out. How the
 * client wrote it makes no difference, nor does the order in which code names the members.
 */
export function requestFingerprint(input: JsonValue): Buffer {
  const canonical = JSON.stringify(input, (_name, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
  return createHash('sha256').update(canonical).digest();
}
