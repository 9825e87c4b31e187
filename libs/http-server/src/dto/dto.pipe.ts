import { type ArgumentMetadata, Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { bodyOptionsOf, RequestBody } from '../body/request-body.js';
import { Query } from '../context/query.js';
import { REQUEST_OBSERVER, type RequestObserver } from '../context/request-context.js';
import { ApiError } from '../errors/api-error.js';
import type { ErrorDefinition, HttpErrorCode } from '../errors/http.errors.js';
import { type DtoMember, membersOf } from './parse-by.decorator.js';
import { unknownParameter } from './unknown-parameter.js';

/** Types of parameters that are no DTOs. */
const PLAIN: ReadonlySet<unknown> = new Set([undefined, Object, String, Number, Boolean, Array]);

/**
 * Makes DTOs of queries and bodies, checked as the decorators on their properties say: for `@Query() query: ListPetsQuery`
 * and `@Body() body: NewPetDto`. A global pipe: it runs behind guards and interceptors, so that a body is read after the
 * key and the limit have been checked.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  constructor(@Inject(REQUEST_OBSERVER) private readonly observer: Pick<RequestObserver, 'mayLog'>) {}

  /** @throws ApiError `invalid_parameter` of a query; of a body `validation_failed`, or what reading it fails with */
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if ((type !== 'query' && type !== 'body') || data !== undefined || PLAIN.has(metatype)) return value;
    const dto = compiledDtoOf(metatype as DtoClass);
    return type === 'query'
      ? dto.parse(this.parametersOf(value, dto), 'invalid_parameter')
      : readBody(dto, value);
  }

  /**
   * The parameters of a query; an array for one that is given more than once, `null` for one with a malformed escape. Names
   * that begin with `_` are not looked at: clients add them to go past caches.
   *
   * @throws ApiError invalid_parameter for one that the DTO does not declare
   */
  private parametersOf(query: unknown, { names }: CompiledDto): Readonly<Record<string, unknown>> {
    if (!(query instanceof Query)) throw new TypeError('The application has no StrictExpressAdapter.');
    const parameters = Object.create(null) as Record<string, unknown>;
    for (const name of new Set(query.keys())) {
      if (names.includes(name)) {
        const values = query.getAll(name);
        parameters[name] = values.length === 1 ? values[0] : values;
      } else if (!name.startsWith('_')) {
        throw unknownParameter(name, names, this.observer.mayLog);
      }
    }
    for (const name of query.malformed(names)) parameters[name] = null;
    return parameters;
  }
}

async function readBody(dto: CompiledDto, body: unknown): Promise<object> {
  if (!(body instanceof RequestBody)) throw new TypeError('The application has no StrictExpressAdapter.');
  return dto.parse(await body.read(dto.names, dto.body), 'validation_failed');
}

/** A class whose properties are declared by `ParseBy`. */
export type DtoClass<Dto extends object = object> = new () => Dto;

/**
 * What a DTO class declares, looked up once. class-validator collects and sorts it anew for every object, which costs
 * several times what the rules themselves do; so it is called only for the messages of a refusal.
 */
export class CompiledDto<Dto extends object = object> {
  /** Names of the declared members. */
  readonly names: readonly string[];
  readonly body: ReturnType<typeof bodyOptionsOf>;
  private readonly members: readonly DtoMember[];

  /** @throws Error for a class that declares no members */
  constructor(private readonly dto: DtoClass<Dto>) {
    this.members = membersOf(dto);
    if (this.members.length === 0) throw new Error(`${dto.name} declares no members.`);
    this.names = this.members.map(({ name }) => name);
    this.body = bodyOptionsOf(dto);
  }

  /**
   * An instance with the declared members of `input`, checked and converted. Other members are never looked at, so
   * nothing can be assigned that was not meant to be.
   *
   * @param input without a prototype, so that it has no members but those that were sent
   * @throws ApiError with the `context.error` of the rule that fails, else `fallback`; its message has those of all members,
   * and of a query that of the first wrong parameter
   */
  parse(input: Readonly<Record<string, unknown>>, fallback: HttpErrorCode): Dto {
    const instance = new this.dto() as Record<string, unknown>;
    for (const { name, parse, isOptional } of this.members) {
      const sent = input[name];
      // What was left out keeps the default that the class gives it.
      if (sent === undefined && isOptional) continue;
      const value = parse(sent);
      if (value === undefined) throw this.refusal(input, fallback);
      instance[name] = value;
    }
    return instance as Dto;
  }

  private refusal(input: Readonly<Record<string, unknown>>, fallback: HttpErrorCode): Error {
    const sent = Object.create(this.dto.prototype as object) as Record<string, unknown>;
    for (const name of this.names) sent[name] = input[name];
    const errors = validateSync(sent, { validationError: { target: false, value: false } });
    // The two must agree, or a refusal would have no message.
    if (errors.length === 0)
      return new Error(`The rules of ${this.dto.name} are not those of class-validator.`);
    if (fallback === 'invalid_parameter') errors.length = 1;
    const message = `${errors.flatMap(({ constraints = {} }) => Object.values(constraints)).join('; ')}.`;
    return new ApiError(definitionOf(errors) ?? fallback, { message });
  }
}

const compiled = new Map<DtoClass, CompiledDto>();

/** A DTO class, compiled when it is asked for the first time. @throws Error for a class that declares no members */
function compiledDtoOf(dto: DtoClass): CompiledDto {
  let known = compiled.get(dto);
  if (known === undefined) compiled.set(dto, (known = new CompiledDto(dto)));
  return known;
}

function definitionOf(errors: readonly ValidationError[]): ErrorDefinition | undefined {
  for (const { contexts = {} } of errors) {
    for (const context of Object.values(contexts) as { error?: ErrorDefinition }[]) {
      if (context.error !== undefined) return context.error;
    }
  }
  return undefined;
}
