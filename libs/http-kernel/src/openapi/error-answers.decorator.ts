import { JSON_MEDIA_TYPE } from '../response/json-response.js';
import { errorBody } from '../errors/api-error.js';
import { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from '../errors/http.errors.js';
import { Documented, type Swagger } from './documented.decorator.js';
import { ErrorDto } from './error.dto.js';
import { type HeaderName, headerReferences } from '../headers/http.headers.js';
import type { ExampleObject } from './openapi-types.js';

/**
 * Documents the errors that an operation can answer with: one answer a status, with an example a code,
 * all from the catalogue.
 *
 * @param headersOf header fields that an answer of this status carries
 */
export function ErrorAnswers(
  codes: readonly ErrorCode[],
  headersOf: (status: number) => readonly HeaderName[],
): MethodDecorator {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))].sort((a, b) => a - b);
  return Documented(
    ({ ApiExtraModels }) => ApiExtraModels(ErrorDto),
    ...statuses.map((status) => ({ ApiResponse, getSchemaPath }: Swagger) => {
      const ofStatus = ERROR_CODES.filter(
        (code) => codes.includes(code) && ERROR_CATALOGUE[code].status === status,
      );
      return ApiResponse({
        status,
        description: ofStatus.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].when}`).join('\n\n'),
        headers: headerReferences(headersOf(status)),
        content: {
          [JSON_MEDIA_TYPE]: {
            schema: { $ref: getSchemaPath(ErrorDto) },
            examples: Object.fromEntries(
              ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      });
    }),
  );
}

/** One example body for every code of the catalogue; {@link ErrorAnswers} refers to them. */
export function errorExamples(): Record<ErrorCode, ExampleObject> {
  return Object.fromEntries(
    ERROR_CODES.map((code) => [
      code,
      { summary: ERROR_CATALOGUE[code].when, value: JSON.parse(errorBody(code)) as unknown },
    ]),
  ) as Record<ErrorCode, ExampleObject>;
}
