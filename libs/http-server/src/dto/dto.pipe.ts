import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RequestBody } from '../body/request-body.js';
import { type CompiledDto, compiledDtoOf, type DtoClass } from './compiled-dto.js';

/** Types of parameters that are no DTOs. */
const PLAIN: ReadonlySet<unknown> = new Set([undefined, Object, String, Number, Boolean, Array]);

/**
 * Makes DTOs of queries and bodies, checked as the decorators on their properties say: for `@Query() query: ListPetsQuery`
 * and `@Body() body: NewPetDto`. A global pipe: it runs behind guards and interceptors, so that a body is read after the
 * key and the limit have been checked.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  /** @throws ApiError `invalid_parameter` of a query; of a body `validation_failed`, or what reading it fails with */
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if ((type !== 'query' && type !== 'body') || data !== undefined || PLAIN.has(metatype)) return value;
    const dto = compiledDtoOf(metatype as DtoClass);
    return type === 'query' ? dto.parse(parametersOf(value, dto), 'invalid_parameter') : readBody(dto, value);
  }
}

/** The parameters that the DTO declares; an array for one that is given more than once. */
function parametersOf(query: unknown, { names }: CompiledDto): Readonly<Record<string, unknown>> {
  if (!(query instanceof URLSearchParams))
    throw new TypeError('The application has no StrictExpressAdapter.');
  const parameters = Object.create(null) as Record<string, unknown>;
  for (const name of names) {
    const values = query.getAll(name);
    if (values.length > 0) parameters[name] = values.length === 1 ? values[0] : values;
  }
  return parameters;
}

async function readBody(dto: CompiledDto, body: unknown): Promise<object> {
  if (!(body instanceof RequestBody)) throw new TypeError('The application has no StrictExpressAdapter.');
  return dto.parse(await body.read(dto.names, dto.body), 'validation_failed');
}
