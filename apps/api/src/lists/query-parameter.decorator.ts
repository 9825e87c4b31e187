import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { Documented, type ErrorDefinition, HTTP_ERRORS, type Swagger } from '@petstore/http-kernel';

/** When the value of a parameter is allowed, and how others are refused. */
export interface QueryParameterRule {
  /** `undefined` for a value that is not allowed. */
  readonly parse: (text: string) => unknown;
  /** What is allowed, as a refusal says it: "limit must be ...". */
  readonly expected: string;
  /** `invalid_parameter` unless said. */
  readonly error?: ErrorDefinition;
}

/** What the document says of a parameter: its schema, and how a list is written. */
export type DocumentedParameter = Parameters<Swagger['ApiPropertyOptional']>[0] & {
  /** Release that it came with, if the operation was released before: in the document it comes after all others. */
  readonly 'x-since'?: string;
  readonly style?: 'form';
  readonly explode?: boolean;
};

/** A query parameter that may be left out and is given once at most, with its check and the error of its refusal. */
export function QueryParameter(
  name: string,
  documented: DocumentedParameter,
  { parse, expected, error = HTTP_ERRORS.invalid_parameter }: QueryParameterRule,
): PropertyDecorator {
  return applyDecorators(
    Documented(({ ApiPropertyOptional }) => ApiPropertyOptional(documented)),
    ValidateIf((_query, value) => value !== undefined),
    ValidateBy(
      // A repeated parameter arrives as an array.
      {
        name,
        validator: { validate: (value: unknown) => typeof value === 'string' && parse(value) !== undefined },
      },
      { message: `${name} must be ${expected}, given once`, context: { error } },
    ),
  );
}
