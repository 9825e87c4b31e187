import { ERROR_CODES } from '../errors/http.errors.js';
import { Documented } from './documented.decorator.js';

/** Documents the Error body (specification, section 2, Error), which `errorBody` writes. */
@Documented(
  ({ ApiSchema }) => ApiSchema({ name: 'Error', description: 'What every error of the service looks like.' }),
  ({ ApiExtension }) => ApiExtension('x-codes', ERROR_CODES),
)
export class ErrorDto {
  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: String,
      maxLength: 64,
      pattern: '^[a-z_]+$',
      description: 'Machine-readable error code. New codes may be added.',
      example: 'pet_not_found',
    }),
  )
  code!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: String,
      maxLength: 4096,
      pattern: '^[^\\r\\n]+$',
      description: 'Human-readable description. Its wording may change.',
      example: 'No pet has this id.',
    }),
  )
  message!: string;

  @Documented(({ ApiProperty }) =>
    ApiProperty({
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status code.',
      example: 404,
    }),
  )
  status!: number;
}
