import { ANY_KEY } from '@petstore/api-key';
import {
  type ErrorDefinition,
  type HeaderDefinition,
  HTTP_ERRORS,
  HTTP_HEADERS,
} from '@petstore/http-kernel';
import { API_KEY_ERRORS } from '../access/api-key.errors.js';
import { RATE_LIMIT_HEADERS } from '../access/rate-limit.errors.js';
import { CONTRACT_HEADERS } from './contract.headers.js';

import { ERRORS_OF_EVERY_OPERATION, OPERATION_ERRORS } from './operation.errors.js';
import { hasBody, type OperationDeclaration, type Success } from './operation.js';

const { 'X-Request-Id': REQUEST_ID, 'Cache-Control': CACHE_CONTROL, ETag, Link, Vary } = HTTP_HEADERS;
const LIMITS = Object.values(RATE_LIMIT_HEADERS);

/** Every error that an operation can answer with. */
export function errorsOf({
  errors,
  deprecation,
  isGuarded = false,
  scope,
}: OperationDeclaration): readonly ErrorDefinition[] {
  const removed = deprecation === undefined ? [] : [OPERATION_ERRORS.operation_removed];
  const guarded = isGuarded ? [HTTP_ERRORS.invalid_parameter, OPERATION_ERRORS.precondition_failed] : [];
  const always =
    scope === ANY_KEY
      ? ERRORS_OF_EVERY_OPERATION.filter((error) => error !== API_KEY_ERRORS.insufficient_scope)
      : ERRORS_OF_EVERY_OPERATION;
  return [...new Set([...always, ...errors, ...guarded, ...removed])];
}

/** Header fields of its success. */
export function successHeadersOf(
  operation: OperationDeclaration,
  success: Success = operation.success,
): readonly HeaderDefinition[] {
  const { isConditional = false, isGuarded = false } = operation;
  const validator = isConditional || (isGuarded && hasBody(success)) ? [ETag] : [];
  const all = [
    ...(success.headers ?? []),
    ...validator,
    CACHE_CONTROL,
    Vary,
    ...LIMITS,
    ...alwaysOf(operation),
  ];
  return [...new Set(all)];
}

/** Header fields of an answer that any of `errors` may be, all of one status. */
export function errorHeadersOf(
  operation: OperationDeclaration,
  errors: readonly ErrorDefinition[],
): readonly HeaderDefinition[] {
  // The parser refuses before it is known what was asked for.
  if (errors.every(({ isFromParser = false }) => isFromParser)) return [REQUEST_ID, Link];
  const special = errors.flatMap(({ headers = [] }) => headers);
  return [...new Set([...special, CACHE_CONTROL, Vary, Link, ...LIMITS, ...alwaysOf(operation)])];
}

function alwaysOf({ deprecation }: OperationDeclaration): readonly HeaderDefinition[] {
  const { Deprecation, Sunset } = CONTRACT_HEADERS;
  return deprecation === undefined ? [REQUEST_ID] : [REQUEST_ID, Deprecation, Sunset, Link];
}
