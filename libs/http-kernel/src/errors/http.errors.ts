/** One kind of error that the service can answer with. */
export interface CatalogueEntry {
  /** HTTP status of the answer, and the `status` member of its body. */
  readonly status: number;
  /** What the body says when nothing more exact is known. */
  readonly message: string;
  /** When a client meets it; one line for the docs and the OpenAPI document. */
  readonly when: string;
}

/**
 * Every error the service can send (specification, section 7). The answers, the OpenAPI document and
 * the docs are made from this table; tests compare them both ways.
 */
export const ERROR_CATALOGUE = {
  invalid_json: {
    status: 400,
    message: 'The request body must be one JSON object in UTF-8 without repeated member names.',
    when: 'The body is not one well-formed JSON object.',
  },
  validation_failed: {
    status: 400,
    message: 'The request body is missing required fields or holds invalid values.',
    when: 'A member of the body is missing or holds an invalid value.',
  },
  invalid_parameter: {
    status: 400,
    message: 'A query parameter or header holds an invalid value.',
    when: 'A query parameter or header holds an invalid value.',
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor is not one that this list gave out. Start again without a cursor.',
    when: 'The cursor is damaged or belongs to a list with another filter.',
  },
  bad_request: {
    status: 400,
    message: 'The request is not well-formed HTTP.',
    when: 'The request is not well-formed HTTP, or did not arrive in time or whole.',
  },
  missing_api_key: {
    status: 401,
    message: 'An API key is required: send it as "Authorization: Bearer <API_KEY>".',
    when: 'No credential was sent.',
  },
  invalid_api_key: {
    status: 401,
    message: 'The API key is not valid.',
    when: 'The key is malformed, unknown, expired or revoked, or was sent in another way than one bearer credential.',
  },
  insufficient_scope: {
    status: 403,
    message: 'The API key does not have the scope that this operation needs.',
    when: 'The key is valid but lacks the scope of the operation.',
  },
  pet_not_found: {
    status: 404,
    message: 'No pet has this id.',
    when: 'No animal has the id in the path.',
  },
  route_not_found: {
    status: 404,
    message: 'There is nothing at this path.',
    when: 'The path names nothing.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method; the Allow header lists those that it does.',
    when: 'The path exists, but not with this method.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being worked on. Try again shortly.',
    when: 'The first request with this Idempotency-Key has not been answered yet.',
  },
  operation_removed: {
    status: 410,
    message: 'This operation has been removed. Use GET /v1/pets with a status filter.',
    when: 'The deprecated operation is past its removal date.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body may be at most 16 KiB.',
    when: 'The body is larger than 16 KiB, than 2 KiB with a Content-Encoding, or comes in too many pieces.',
  },
  uri_too_long: {
    status: 414,
    message: 'The request target may be at most 8,192 bytes.',
    when: 'The path and query together are longer than 8,192 bytes.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be sent as Content-Type: application/json, in UTF-8.',
    when: 'Content-Type is not application/json, its charset is not UTF-8, or Content-Encoding is unknown.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used before with another request body.',
    when: 'The Idempotency-Key was already used with another body.',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'Too many requests. Retry after the time that the Retry-After header gives.',
    when: 'A window of the plan, or of the client address, is used up.',
  },
  api_key_temporarily_banned: {
    status: 429,
    message: 'The API key is banned for a while because it went on after being refused. See Retry-After.',
    when: 'The key kept sending requests after being refused.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers may be at most 16 KiB together.',
    when: 'The header fields are larger than 16 KiB together, or more than 100.',
  },
  internal_error: {
    status: 500,
    message: 'The service failed to answer this request. Quote the X-Request-Id when reporting it.',
    when: 'Something failed that should not.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service cannot answer at the moment. Try again shortly.',
    when: 'A server that the request needs is away, or the service has too much to do or is stopping.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** Machine-readable name of an error: the `code` member of its body. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Every code, in the order of the table: by status. */
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
