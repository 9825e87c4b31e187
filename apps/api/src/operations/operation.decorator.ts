import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RequiresScope } from '@petstore/api-key';
import {
  Documented,
  ErrorAnswers,
  type ErrorCode,
  type HeaderName,
  headerReferences,
  JSON_MEDIA_TYPE,
} from '@petstore/http-kernel';
import { MarkDeprecated, SUNSET } from './deprecation.js';

/** Name of the bearer scheme in the document (specification, section 5). */
export const SECURITY_SCHEME = 'apiKey';

const OPERATION_ID = Symbol('operation id');

/** The id of the operation that a handler carries out; `undefined` for handlers of none. */
export function operationIdOf(handler: object): string | undefined {
  return Reflect.getMetadata(OPERATION_ID, handler) as string | undefined;
}

/** One operation of the contract: what guards it, what it answers, what the document says of it. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** One of `@petstore/scopes`. */
  readonly scope: string;
  readonly success: {
    readonly status: number;
    readonly description: string;
    /** Name of a schema of the document. */
    readonly schema: string;
    /** With `ETag` among them, the answer heeds If-None-Match. */
    readonly headers: readonly HeaderName[];
    readonly example: unknown;
  };
  /** Beyond {@link EVERY_OPERATION}. */
  readonly errors: readonly ErrorCode[];
  /** What to use instead, if the operation is deprecated. */
  readonly deprecatedFor?: string;
}

/** What any operation can answer, whatever it does. */
const EVERY_OPERATION: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'uri_too_long',
  'rate_limit_exceeded',
  'api_key_temporarily_banned',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

const LIMIT_HEADERS: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
const DEPRECATION_HEADERS: readonly HeaderName[] = ['Deprecation', 'Sunset', 'Link'];

/**
 * Everything about an operation in one place: the scope that the guard asks for, and the document made
 * from the same facts. Controllers use nothing else for it.
 */
export function ContractOperation(operation: Operation): MethodDecorator {
  const { success, deprecatedFor } = operation;
  const always: HeaderName[] = ['X-Request-Id', ...(deprecatedFor === undefined ? [] : DEPRECATION_HEADERS)];
  const successHeaders = [
    ...new Set<HeaderName>([...success.headers, 'Cache-Control', 'Vary', ...LIMIT_HEADERS, ...always]),
  ];
  return applyDecorators(
    RequiresScope(operation.scope),
    SetMetadata(OPERATION_ID, operation.id),
    Documented(
      ({ ApiSecurity }) => ApiSecurity(SECURITY_SCHEME),
      ({ ApiOperation }) =>
        ApiOperation({
          operationId: operation.id,
          summary: summarize(operation),
          description: describe(operation),
          ...(deprecatedFor === undefined ? {} : { deprecated: true }),
        }),
      ({ ApiResponse }) =>
        ApiResponse({
          status: success.status,
          description: success.description,
          headers: headerReferences(successHeaders),
          content: {
            [JSON_MEDIA_TYPE]: {
              schema: { $ref: `#/components/schemas/${success.schema}` },
              examples: { [operation.id]: { summary: success.description, value: success.example } },
            },
          },
        }),
    ),
    ...(success.headers.includes('ETag') ? [conditional(successHeaders)] : []),
    ErrorAnswers([...EVERY_OPERATION, ...operation.errors], (status) => errorHeaders(status, always)),
    ...(deprecatedFor === undefined ? [] : [MarkDeprecated()]),
  );
}

/** What If-None-Match brings (RFC 9110, section 13.1.2). */
function conditional(headers: readonly HeaderName[]): MethodDecorator {
  return Documented(
    ({ ApiHeader }) =>
      ApiHeader({
        name: 'If-None-Match',
        required: false,
        description:
          'ETag of the answer that the client has; when it is still current, the answer is 304 without a body.',
        schema: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[ -~]+$' },
      }),
    ({ ApiResponse }) =>
      ApiResponse({
        status: 304,
        description: 'The answer that the client has is still current.',
        headers: headerReferences(headers),
      }),
  );
}

/** The parser refuses with 431 before it is known what was asked for. */
function errorHeaders(status: number, always: readonly HeaderName[]): readonly HeaderName[] {
  if (status === 431) return ['X-Request-Id'];
  const special: readonly HeaderName[] =
    status === 401 || status === 403
      ? ['WWW-Authenticate']
      : [409, 429, 503].includes(status)
        ? ['Retry-After']
        : [];
  return [...special, 'Cache-Control', ...LIMIT_HEADERS, ...always];
}

/** Removal date as people write it. */
const LAST_DAY = SUNSET.toLocaleDateString('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Lists of operations show nothing but this line. */
function summarize({ summary, deprecatedFor }: Operation): string {
  return deprecatedFor === undefined ? summary : `${summary} (deprecated, until ${LAST_DAY})`;
}

function describe({ description, scope, deprecatedFor }: Operation): string {
  const paragraphs = [description, `Needs the scope \`${scope}\`.`];
  if (deprecatedFor !== undefined) {
    paragraphs.unshift(`**Deprecated; to be removed on ${LAST_DAY}.** Use ${deprecatedFor} instead.`);
  }
  return paragraphs.join('\n\n');
}
