import { distinct, type HeaderDefinition, HTTP_HEADERS } from '../headers/headers.js';

/** Most bytes of a request body. */
export const MAX_BODY_BYTES = 16 * 1024;

/** Most bytes of the header fields of a request together, each with its name, colon, space and end of line. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Most header fields of a request, as in Apache; browsers behind several proxies send half of it. */
export const MAX_HEADER_FIELDS = 100;

/** Most bytes of a request target; far above any that this service gives out. */
export const MAX_TARGET_BYTES = 8192;

/** Bytes as people read them: 16 KiB. */
export function inKib(bytes: number): string {
  return `${bytes / 1024} KiB`;
}

/** One kind of error of a feature. */
export interface ErrorRow {
  /** HTTP status of the response, and the `status` member of its body. */
  readonly status: number;
  /** Message of the body when nothing more exact is known. */
  readonly message: string;
  /** When it occurs; one line for the docs and the OpenAPI document. */
  readonly when: string;
  /** Header fields that its responses carry beside those of every response. */
  readonly headers?: readonly HeaderDefinition[];
  /** The error for what no other one of this status describes; listed last. */
  readonly isFallback?: boolean;
  /** Class of a domain's error that is this one in the contract; a message of its own replaces this one. */
  readonly refusal?: abstract new (...details: never[]) => Error;
  /** Of the form of a request, before there is an operation: without the header fields of one. */
  readonly isFromParser?: boolean;
}

/** One kind of error that the service can respond with. */
export interface ErrorDefinition<Code extends string = string> extends ErrorRow {
  /** Machine-readable name: the `code` member of the body. */
  readonly code: Code;
}

const refusals = new Map<unknown, ErrorDefinition>();

/** What an error of a domain is in the contract; `undefined` for one that no feature names as a `refusal`. */
export function definitionOfRefusal(error: Error): ErrorDefinition | undefined {
  return refusals.get(error.constructor);
}

/** Form of a code. */
export const ERROR_CODE = /^[a-z_]{1,64}$/;

/**
 * Defines the errors of a feature, by their codes:
 * `const PET_ERRORS = defineErrors({ pet_not_found: { status: 404, message: '...', when: '...' } })`.
 * Thrown as `new ApiError(PET_ERRORS.pet_not_found)`; operations name those that they respond with.
 *
 * @throws Error for a code that is not in lower case and underscores, or a status that is no error
 */
export function defineErrors<const Rows extends Record<string, ErrorRow>>(
  rows: Rows,
): { readonly [Code in keyof Rows & string]: ErrorDefinition<Code> } {
  const definitions = Object.entries(rows).map(([code, row]) => {
    if (!ERROR_CODE.test(code)) throw new Error(`"${code}" is not an error code.`);
    if (!(row.status >= 400 && row.status < 600)) throw new Error(`The status of ${code} is no error.`);
    const definition = { code, ...row };
    if (row.refusal !== undefined) refusals.set(row.refusal, definition);
    return [code, definition];
  });
  return Object.fromEntries(definitions) as ReturnType<typeof defineErrors<Rows>>;
}

/**
 * Every error that a service can send, once. The OpenAPI document and the docs are made from it; tests compare them.
 *
 * @param definitions those of any HTTP API, and those of the features
 * @returns ordered by status; within one, fallbacks come last
 * @throws Error when two definitions have one code
 */
export function assembleErrorCatalogue(definitions: Iterable<ErrorDefinition>): readonly ErrorDefinition[] {
  return inCatalogueOrder(distinct(definitions, ({ code }) => `error ${code}`));
}

/** Sorts errors by status, fallbacks last; keeps the order of others. */
export function inCatalogueOrder(errors: readonly ErrorDefinition[]): readonly ErrorDefinition[] {
  return errors.toSorted(
    (a, b) => a.status - b.status || Number(a.isFallback ?? false) - Number(b.isFallback ?? false),
  );
}

const TARGET_BYTES = MAX_TARGET_BYTES.toLocaleString('en');

/** Errors of any HTTP API (docs/contract.md, "Errors"); features define theirs. */
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
    message:
      'A query parameter or header holds an invalid value, or the operation has no such query parameter.',
    when: 'A query parameter or header holds an invalid value, or the operation has no query parameter of that name.',
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
