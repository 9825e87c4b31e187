import { HttpException } from '@nestjs/common';
import type { Scope } from '../scopes/scope-registry.js';

/** Why a request may not go on, as clients read it, with the status of the response. */
export const API_KEY_REFUSALS = {
  missing_api_key: 401,
  invalid_api_key: 401,
  origin_not_allowed: 403,
  insufficient_scope: 403,
} as const;

export type ApiKeyRefusal = keyof typeof API_KEY_REFUSALS;

const MESSAGES: Readonly<Record<ApiKeyRefusal, string>> = {
  missing_api_key: 'An API key is required.',
  invalid_api_key: 'The API key is not valid.',
  origin_not_allowed: 'This key works only in pages of its own sites.',
  insufficient_scope: 'The API key does not have the scope that this needs.',
};

/**
 * A request is refused for its key. Unknown, malformed, expired and revoked keys are refused alike.
 *
 * Nest responds with `{"code", "message", "status"}`, as to what `@petstore/rate-limit` refuses. Made for every bad request of
 * a flood, so it takes no stack trace.
 */
export class ApiKeyRefusedError extends HttpException {
  override readonly name = 'ApiKeyRefusedError';

  private constructor(
    readonly code: ApiKeyRefusal,
    /** Value of the WWW-Authenticate field (RFC 6750, section 3); none where another key would not help. */
    readonly challenge?: string,
  ) {
    const status = API_KEY_REFUSALS[code];
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const message = MESSAGES[code];
    super({ code, message, status }, status);
    Error.stackTraceLimit = stackTraceLimit;
    this.message = message;
  }

  /** No key was sent. */
  static missing(realm: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError('missing_api_key', `Bearer realm="${realm}"`);
  }

  /** A key was sent, but not one that is accepted. */
  static invalid(realm: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError('invalid_api_key', `Bearer realm="${realm}", error="invalid_token"`);
  }

  /** The key is publishable, and the request does not come from a page of its sites. */
  static foreignOrigin(): ApiKeyRefusedError {
    return new ApiKeyRefusedError('origin_not_allowed');
  }

  /** The key is accepted but may not do this. @param scope none for what needs a secret key */
  static lacking(scope: Scope | undefined, realm: string): ApiKeyRefusedError {
    const needed = scope === undefined ? '' : `scope="${scope}", `;
    return new ApiKeyRefusedError(
      'insufficient_scope',
      `Bearer error="insufficient_scope", ${needed}realm="${realm}"`,
    );
  }
}
