import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
} from '@nestjs/swagger';
import { ANY_SECRET_KEY } from '@petstore/api-key';
import {
  bodyOptionsOf,
  ErrorResponses,
  type ErrorDefinition,
  type HeaderDefinition,
  headerReferences,
  HTTP_ERRORS,
  HTTP_HEADERS,
  JSON_MEDIA_TYPE,
} from '@petstore/http-server';
import { RATE_LIMIT_HEADERS } from '../access/access.errors.js';
import { CONTRACT_HEADERS } from './responses.js';
import { IDEMPOTENCY_KEY, READ_PRECONDITIONS, WRITE_PRECONDITIONS } from './request-headers.decorator.js';
import { errorsOf } from './operation.errors.js';
import {
  MERGE_PATCH_MEDIA_TYPE,
  type OperationOptions,
  type Parameter,
  type RequestBody,
  type Success,
} from './operation.js';

const { 'X-Request-Id': REQUEST_ID, 'Cache-Control': CACHE_CONTROL, ETag, Vary } = HTTP_HEADERS;
const { Link, Location, Deprecation, Sunset, 'Idempotent-Replayed': REPLAYED } = CONTRACT_HEADERS;
const LIMITS = Object.values(RATE_LIMIT_HEADERS);

/** Name of the bearer scheme in the document (docs/contract.md, "Keys"). */
export const SECURITY_SCHEME = 'apiKey';

/** What the OpenAPI document says of an operation, by the decorators of @nestjs/swagger. */
export function documentOperation(operation: OperationOptions): MethodDecorator {
  const { params = [], body, success, alternatives = [], isConditional = false, since } = operation;
  return applyDecorators(
    ApiSecurity(SECURITY_SCHEME),
    documentTexts(operation),
    ...(since === undefined ? [] : [ApiExtension('x-since', since)]),
    ...[success, ...alternatives].map((each) => documentSuccess(operation, each)),
    // ApiParam loses an example that stands beside the schema.
    ...params.map(({ example, schema, ...param }) =>
      ApiParam({ ...param, schema: example === undefined ? schema : { ...schema, example } }),
    ),
    ...requestHeadersOf(operation).map((header) => ApiHeader({ ...header, required: false })),
    ...(body === undefined ? [] : [documentBody(body)]),
    ...(isConditional ? [documentNotModified(operation)] : []),
    ErrorResponses(errorsOf(operation), (errors) => errorHeadersOf(operation, errors)),
  );
}

/** Header fields that a request may carry for this operation; pages of other origins may send them. */
export function requestHeadersOf({
  isConditional = false,
  hasPreconditions = false,
  isIdempotent = false,
}: OperationOptions): readonly Parameter[] {
  return [
    ...(isIdempotent ? [IDEMPOTENCY_KEY] : []),
    ...(isConditional ? READ_PRECONDITIONS : []),
    ...(hasPreconditions ? WRITE_PRECONDITIONS : []),
  ];
}

function documentTexts({ id, summary, description, scope, deprecation }: OperationOptions): MethodDecorator {
  const needs =
    scope === ANY_SECRET_KEY ? 'Needs no scope: any secret key may.' : `Needs the scope \`${scope}\`.`;
  if (deprecation === undefined)
    return ApiOperation({ operationId: id, summary, description: `${description}\n\n${needs}` });
  const { sunset, successor } = deprecation;
  const instead = `\`${successor.method} ${successor.path}\` ${successor.usage}`;
  const notice = `**Deprecated; to be removed on ${dayOf(sunset)}.** Use ${instead} instead.`;
  return ApiOperation({
    operationId: id,
    // Lists of operations show nothing but the summary.
    summary: `${summary} (deprecated, until ${dayOf(sunset)})`,
    description: [notice, description, needs].join('\n\n'),
    deprecated: true,
  });
}

function documentSuccess(operation: OperationOptions, success: Success): MethodDecorator {
  const { status, description, schema, example } = success;
  const headers = headerReferences(successHeadersOf(operation, success));
  if (schema === undefined) return ApiResponse({ status, description, headers });
  const examples = { [operation.id]: { summary: description, value: example } };
  const content = { [JSON_MEDIA_TYPE]: { schema: { $ref: `#/components/schemas/${schema}` }, examples } };
  return ApiResponse({ status, description, headers, content });
}

function documentNotModified(operation: OperationOptions): MethodDecorator {
  return ApiResponse({
    status: 304,
    description: 'The response that the client has is still current.',
    headers: headerReferences(successHeadersOf(operation)),
  });
}

function documentBody({ dto, description, examples }: RequestBody): MethodDecorator {
  const { mediaTypes, isOptional } = bodyOptionsOf(dto);
  return applyDecorators(
    ApiBody({ type: dto, required: !isOptional, description, examples: { ...examples } }),
    ApiConsumes(...mediaTypes),
  );
}

/** A date as people write it: 5 December 2030. */
function dayOf(date: Date): string {
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** Header fields of its success. */
export function successHeadersOf(
  operation: OperationOptions,
  { status, headers = [] }: Success = operation.success,
): readonly HeaderDefinition[] {
  const {
    isConditional = false,
    hasPreconditions = false,
    isIdempotent = false,
    isPaged = false,
  } = operation;
  const hasTag = isConditional || status === 201 || (hasPreconditions && status !== 204);
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
