import { applyDecorators } from '@nestjs/common';
import { ANY_KEY } from '@petstore/api-key';
import {
  Documented,
  ErrorAnswers,
  headerReferences,
  JSON_MEDIA_TYPE,
  type Swagger,
} from '@petstore/http-kernel';
import { errorHeadersOf, errorsOf, successHeadersOf } from './operation-answers.js';
import {
  hasBody,
  type OperationDeclaration,
  type Parameter,
  type RequestBody,
  type Success,
} from './operation.js';
import { dayOf } from './deprecation.js';
import { PRECONDITION_SCHEMA } from './precondition.schema.js';

/** Name of the bearer scheme in the document (specification, section 5). */
export const SECURITY_SCHEME = 'apiKey';

/** Request header field of conditional requests. Nothing is refused: what is no list of tags is ignored. */
export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  description:
    'ETag of the response that the client has; while it is still current, the response is 304 without a body.',
  schema: { type: 'string' },
};

/** Request header field of writes that are to happen to a known state only. */
export const IF_MATCH: Parameter = {
  name: 'If-Match',
  description:
    'ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412.',
  schema: PRECONDITION_SCHEMA,
};

/** What the OpenAPI document says of an operation. */
export function documentOperation(operation: OperationDeclaration): MethodDecorator {
  const { pathParameters = [], body, isConditional = false } = operation;
  return applyDecorators(
    documentSummary(operation),
    ...[operation.success, ...(operation.alternatives ?? [])].map((success) =>
      documentSuccess(operation, success),
    ),
    ...pathParameters.map(({ example, ...parameter }) =>
      // ApiParam loses an example that stands beside the schema.
      Documented(({ ApiParam }) =>
        ApiParam({
          ...parameter,
          schema: { ...parameter.schema, ...(example !== undefined && { example }) },
        }),
      ),
    ),
    ...requestHeadersOf(operation).map((header) =>
      Documented(({ ApiHeader }) => ApiHeader({ ...header, required: false })),
    ),
    ...(body === undefined ? [] : [documentBody(body)]),
    ...(isConditional ? [documentNotModified(operation)] : []),
    ErrorAnswers(errorsOf(operation), (errors) => errorHeadersOf(operation, errors)),
  );
}

/** Header fields that a request may carry for this operation. */
export function requestHeadersOf({
  requestHeaders = [],
  isConditional = false,
  isGuarded = false,
}: OperationDeclaration): readonly Parameter[] {
  return [...requestHeaders, ...(isConditional ? [IF_NONE_MATCH] : []), ...(isGuarded ? [IF_MATCH] : [])];
}

function documentSummary(operation: OperationDeclaration): MethodDecorator {
  const { id, summary, description, scope, deprecation, since } = operation;
  const needs = scope === ANY_KEY ? 'Needs no scope: any accepted key may.' : `Needs the scope \`${scope}\`.`;
  const paragraphs = [description, needs];
  let line = summary;
  if (deprecation !== undefined) {
    const { sunset, successor } = deprecation;
    const instead = `\`${successor.method} ${successor.path}\` ${successor.usage}`;
    // Lists of operations show nothing but the summary.
    line += ` (deprecated, until ${dayOf(sunset)})`;
    paragraphs.unshift(`**Deprecated; to be removed on ${dayOf(sunset)}.** Use ${instead} instead.`);
  }
  return Documented(
    ({ ApiSecurity }) => ApiSecurity(SECURITY_SCHEME),
    ({ ApiOperation }) =>
      ApiOperation({
        operationId: id,
        summary: line,
        description: paragraphs.join('\n\n'),
        ...(deprecation === undefined ? {} : { deprecated: true }),
      }),
    ...(since === undefined ? [] : [({ ApiExtension }: Swagger) => ApiExtension('x-since', since)]),
  );
}

function documentSuccess(operation: OperationDeclaration, success: Success): MethodDecorator {
  const { id } = operation;
  const { status, description } = success;
  const headers = headerReferences(successHeadersOf(operation, success));
  if (!hasBody(success))
    return Documented(({ ApiResponse }) => ApiResponse({ status, description, headers }));
  const content = {
    [JSON_MEDIA_TYPE]: {
      schema: { $ref: `#/components/schemas/${success.schema}` },
      examples: { [id]: { summary: description, value: success.example } },
    },
  };
  return Documented(({ ApiResponse }) => ApiResponse({ status, description, headers, content }));
}

function documentNotModified(operation: OperationDeclaration): MethodDecorator {
  return Documented(({ ApiResponse }) =>
    ApiResponse({
      status: 304,
      description: 'The response that the client has is still current.',
      headers: headerReferences(successHeadersOf(operation)),
    }),
  );
}

function documentBody({
  dto,
  description,
  examples,
  mediaTypes,
  isOptional = false,
}: RequestBody): MethodDecorator {
  return Documented(
    ({ ApiBody }) => ApiBody({ type: dto, required: !isOptional, description, examples: { ...examples } }),
    ...(mediaTypes === undefined ? [] : [({ ApiConsumes }: Swagger) => ApiConsumes(...mediaTypes)]),
  );
}
