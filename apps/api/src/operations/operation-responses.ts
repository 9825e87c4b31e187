import { ANY_KEY } from '@petstore/api-key';
import {
  bodyOptionsOf,
  type ErrorDefinition,
  type HeaderDefinition,
  HTTP_ERRORS,
  HTTP_HEADERS,
} from '@petstore/http-server';
import { API_KEY_ERRORS } from '../access/api-key.errors.js';
import { RATE_LIMIT_HEADERS } from '../access/rate-limit.errors.js';
import { CONTRACT_HEADERS } from './contract.headers.js';
import { ERRORS_OF_BODIES, ERRORS_OF_EVERY_OPERATION, OPERATION_ERRORS } from './operation.errors.js';
import { MERGE_PATCH_MEDIA_TYPE, type OperationOptions, type Success } from './operation.js';

const { 'X-Request-Id': REQUEST_ID, 'Cache-Control': CACHE_CONTROL, ETag, Vary } = HTTP_HEADERS;
const { Link, Location, Deprecation, Sunset, 'Idempotent-Replayed': REPLAYED } = CONTRACT_HEADERS;
const LIMITS = Object.values(RATE_LIMIT_HEADERS);

/** Every error that an operation can respond with: what it names, and what follows from the forms that it takes. */
export function errorsOf(operation: OperationOptions): readonly ErrorDefinition[] {
  const { body, deprecation, errors = [], scope } = operation;
  const { isConditional = false, isGuarded = false, isIdempotent = false } = operation;
  const { isPaged = false, isNeverBadRequest = false } = operation;
  const hasPreconditions = isConditional || isGuarded;
  const takesParameters = isPaged || hasPreconditions || isIdempotent;
  return distinct([
    ...ERRORS_OF_EVERY_OPERATION.filter(
      (error) => scope !== ANY_KEY || error !== API_KEY_ERRORS.insufficient_scope,
    ),
    ...(body === undefined ? [] : ERRORS_OF_BODIES),
    ...(takesParameters ? [HTTP_ERRORS.invalid_parameter] : []),
    ...(isPaged ? [OPERATION_ERRORS.invalid_cursor] : []),
    ...errors,
    ...(isIdempotent
      ? [OPERATION_ERRORS.idempotency_in_progress, OPERATION_ERRORS.idempotency_key_reused]
      : []),
    ...(hasPreconditions ? [HTTP_ERRORS.precondition_failed] : []),
    ...(deprecation === undefined ? [] : [OPERATION_ERRORS.operation_removed]),
    ...(isNeverBadRequest ? [] : [HTTP_ERRORS.bad_request]),
  ]);
}

/** Header fields of its success. */
export function successHeadersOf(
  operation: OperationOptions,
  { status, headers = [] }: Success = operation.success,
): readonly HeaderDefinition[] {
  const { isConditional = false, isGuarded = false, isIdempotent = false, isPaged = false } = operation;
  const hasTag = isConditional || status === 201 || (isGuarded && status !== 204);
  return distinct([
    ...(isPaged ? [Link] : headers),
    ...(status === 201 ? [Location] : []),
    ...(hasTag ? [ETag] : []),
    ...(isIdempotent ? [REPLAYED] : []),
    CACHE_CONTROL,
    Vary,
    ...LIMITS,
    ...alwaysOf(operation),
  ]);
}

/** Header fields of a response that any of `errors` may be, all of one status. */
export function errorHeadersOf(
  operation: OperationOptions,
  errors: readonly ErrorDefinition[],
): readonly HeaderDefinition[] {
  // The parser refuses before the operation is known.
  if (errors.every(({ isFromParser = false }) => isFromParser)) return [REQUEST_ID, Link];
  const special = errors.flatMap(({ headers = [] }) => headers);
  const namesPatches = errors.includes(HTTP_ERRORS.unsupported_media_type) && takesMergePatch(operation);
  return distinct([
    ...special,
    ...(namesPatches ? [HTTP_HEADERS['Accept-Patch']] : []),
    CACHE_CONTROL,
    Vary,
    Link,
    ...LIMITS,
    ...alwaysOf(operation),
  ]);
}

/** RFC 5789, section 3.1. */
function takesMergePatch({ body }: OperationOptions): boolean {
  return body !== undefined && bodyOptionsOf(body.dto).mediaTypes.includes(MERGE_PATCH_MEDIA_TYPE);
}

function alwaysOf({ deprecation }: OperationOptions): readonly HeaderDefinition[] {
  return deprecation === undefined ? [REQUEST_ID] : [REQUEST_ID, Deprecation, Sunset, Link];
}

function distinct<T>(all: readonly T[]): readonly T[] {
  return [...new Set(all)];
}
