import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { errorBody } from '../errors/api-error.js';
import type { ErrorDefinition } from '../errors/define-errors.js';
import { inCatalogueOrder } from '../errors/error-catalogue.js';
import { type HeaderDefinition, headerReferences } from '../headers/define-headers.js';
import type { ExampleObject } from '../headers/openapi-types.js';
import { JSON_MEDIA_TYPE } from '../responses/json-response.js';
import { ErrorDto } from './error.dto.js';

/**
 * Documents the errors that an operation can respond with: one response a status, with an example a code.
 *
 * @param headersOf header fields that the responses with these errors, of one status, carry
 */
export function ErrorAnswers(
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

/** One example body for every error; {@link ErrorAnswers} refers to them. */
export function errorExamples(
  catalogue: readonly ErrorDefinition[],
  messageOf: (error: ErrorDefinition) => string = ({ message }) => message,
): Record<string, ExampleObject> {
  return Object.fromEntries(
    catalogue.map((error) => [
      error.code,
      { summary: error.when, value: JSON.parse(errorBody(error, messageOf(error))) as unknown },
    ]),
  );
}
