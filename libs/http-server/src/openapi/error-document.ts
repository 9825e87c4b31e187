import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { errorBody } from '../errors/api-error.js';
import { type ErrorDefinition, inCatalogueOrder } from '../errors/http.errors.js';
import {
  type ExampleObject,
  type HeaderDefinition,
  headerReferences,
  type SchemaObject,
} from '../headers/headers.js';
import { JSON_MEDIA_TYPE } from '../responses/responses.js';

/**
 * Documents the Error body (docs/contract.md, "Errors"), which `errorBody` writes. {@link errorSchema} adds what
 * depends on the errors that a service has.
 */
@ApiSchema({ name: 'Error', description: 'What every error of the service looks like.' })
class ErrorDto {
  @ApiProperty({
    type: String,
    maxLength: 64,
    pattern: '^[a-z_]+$',
    description: 'Machine-readable error code. New codes may be added.',
  })
  code!: string;

  @ApiProperty({
    type: String,
    maxLength: 4096,
    pattern: '^[^\\r\\n]+$',
    description: 'Human-readable description. Its wording may change.',
  })
  message!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    description: 'The HTTP status code.',
  })
  status!: number;
}

/**
 * Documents the errors that an operation can respond with: one response a status, with an example a code.
 *
 * @param headersOf header fields that the responses with these errors, of one status, carry
 */
export function ErrorResponses(
  errors: readonly ErrorDefinition[],
  headersOf: (errors: readonly ErrorDefinition[]) => readonly HeaderDefinition[],
): MethodDecorator {
  const ordered = inCatalogueOrder(errors);
  const statuses = [...new Set(ordered.map(({ status }) => status))];
  return applyDecorators(
    ApiExtraModels(ErrorDto),
    ...statuses.map((status) => {
      const ofStatus = ordered.filter((error) => error.status === status);
      return ApiResponse({
        status,
        description: ofStatus.map(({ code, when }) => `\`${code}\`: ${when}`).join('\n\n'),
        headers: headerReferences(headersOf(ofStatus)),
        content: {
          [JSON_MEDIA_TYPE]: {
            schema: { $ref: getSchemaPath(ErrorDto) },
            examples: Object.fromEntries(
              ofStatus.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      });
    }),
  );
}

/** One example body for every error; {@link ErrorResponses} refers to them. */
export function errorExamples(
  catalogue: readonly ErrorDefinition[],
  messageOf: (error: ErrorDefinition) => string = ({ message }) => message,
): Record<string, ExampleObject> {
  return Object.fromEntries(
    catalogue.map((error) => [
      error.code,
      {
        summary: error.when,
        value: JSON.parse(errorBody({ ...error, message: messageOf(error) })) as unknown,
      },
    ]),
  );
}

/**
 * The schema of the Error body with every code of a service, and with the first error of status 404 as its example.
 *
 * @param schema as made from the DTO
 */
export function errorSchema(schema: SchemaObject, catalogue: readonly ErrorDefinition[]): SchemaObject {
  const example = catalogue.find(({ status }) => status === 404);
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    { ...property, example: example?.[name as keyof ErrorDefinition] },
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(properties) as SchemaObject['properties'],
    'x-codes': catalogue.map(({ code }) => code),
  } as SchemaObject;
}
