import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ErrorDefinition } from '../errors/define-errors.js';
import type { SchemaObject } from '../headers/openapi-types.js';

/**
 * Documents the Error body (specification, section 2, Error), which `errorBody` writes. {@link errorSchema} adds what
 * depends on the errors that a service has.
 */
@ApiSchema({ name: 'Error', description: 'What every error of the service looks like.' })
export class ErrorDto {
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
 * The schema of {@link ErrorDto} with every code of a service, and with the first error of `status` as its example.
 *
 * @param schema as made from the DTO
 */
export function errorSchema(
  schema: SchemaObject,
  catalogue: readonly ErrorDefinition[],
  status = 404,
): SchemaObject {
  const example = catalogue.find((error) => error.status === status);
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
