import { HTTP_HEADERS } from '../headers/http.headers.js';
import { inKib, MAX_BODY_BYTES, MAX_HEADER_BYTES, MAX_HEADER_FIELDS, MAX_TARGET_BYTES } from '../limits.js';
import { defineErrors } from './define-errors.js';

const TARGET_BYTES = MAX_TARGET_BYTES.toLocaleString('en');

/** Errors of any HTTP API (specification, section 7); features define theirs. */
export const HTTP_ERRORS = defineErrors({
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
  bad_request: {
    status: 400,
    message: 'The request is not well-formed HTTP.',
    when: 'The request is not well-formed HTTP, or did not arrive in time or whole.',
    isFallback: true,
  },
  route_not_found: {
    status: 404,
    message: 'There is nothing at this path.',
    when: 'The path names nothing.',
    isFallback: true,
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method; the Allow header lists those that it does.',
    when: 'The path exists, but not with this method.',
    headers: [HTTP_HEADERS.Allow],
  },
  precondition_failed: {
    status: 412,
    message: 'It is in none of the states that If-Match names, and may have changed since. Read it again.',
    when: 'If-Match does not name the current state, or If-None-Match of a write does; nothing was changed.',
    headers: [HTTP_HEADERS.ETag],
  },
  payload_too_large: {
    status: 413,
    message: `The request body may be at most ${inKib(MAX_BODY_BYTES)}.`,
    when: `The body is larger than ${inKib(MAX_BODY_BYTES)}.`,
  },
  uri_too_long: {
    status: 414,
    message: `The request target may be at most ${TARGET_BYTES} bytes.`,
    when: `The path and query together are longer than ${TARGET_BYTES} bytes.`,
    isFromParser: true,
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be sent as Content-Type: application/json, in UTF-8.',
    when: 'Content-Type is not application/json (nor, for PATCH, application/merge-patch+json), its charset is not UTF-8, or the body has a Content-Encoding.',
    headers: [HTTP_HEADERS['Accept-Encoding']],
  },
  headers_too_large: {
    status: 431,
    message: `The request headers may be at most ${inKib(MAX_HEADER_BYTES)} together.`,
    when: `The header fields are larger than ${inKib(MAX_HEADER_BYTES)} together, or more than ${MAX_HEADER_FIELDS}.`,
    isFromParser: true,
  },
  internal_error: {
    status: 500,
    message: 'The service failed to answer this request. Quote the X-Request-Id when reporting it.',
    when: 'Something failed that should not.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service cannot answer at the moment. Try again shortly.',
    when: 'A server that the request needs is unavailable, or the service has too much to do or is stopping.',
    headers: [HTTP_HEADERS['Retry-After']],
  },
});

/** Code of an error of any HTTP API. */
export type HttpErrorCode = keyof typeof HTTP_ERRORS;
