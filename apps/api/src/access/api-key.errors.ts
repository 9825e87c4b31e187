import { API_KEY_REFUSALS, type ApiKeyRefusal } from '@petstore/api-key';
import { defineErrors, defineHeaders, textHeader } from '@petstore/http-server';

/** What API keys are for, in the field WWW-Authenticate (RFC 9110, section 11.5). */
export const REALM = 'petstore';

const headers = Object.values(
  defineHeaders({
    'WWW-Authenticate': textHeader(
      'How to authenticate (RFC 6750).',
      `Bearer realm="${REALM}", error="invalid_token"`,
    ),
  }),
);

/** What requests get that the key guard refuses (specification, section 5). */
export const API_KEY_ERRORS = defineErrors({
  missing_api_key: {
    status: API_KEY_REFUSALS.missing_api_key,
    message: 'An API key is required: send it as "Authorization: Bearer <API_KEY>".',
    when: 'No credential was sent, or one of another scheme than Bearer.',
    headers,
  },
  invalid_api_key: {
    status: API_KEY_REFUSALS.invalid_api_key,
    message: 'The API key is not valid.',
    when: 'The key is malformed, unknown, expired or revoked, or the header field Authorization was sent repeatedly.',
    headers,
  },
  insufficient_scope: {
    status: API_KEY_REFUSALS.insufficient_scope,
    message: 'The API key does not have the scope that this operation needs.',
    when: 'The key is valid but lacks the scope of the operation.',
    headers,
  },
} satisfies Record<ApiKeyRefusal, unknown>);
