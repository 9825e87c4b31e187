import { getMetadataStorage, validateSync, type ValidationError, ValidationTypes } from 'class-validator';
import { bodyOptionsOf } from '../body/request-body.js';
import { ApiError } from '../errors/api-error.js';
import type { ErrorDefinition } from '../errors/define-errors.js';
import type { HttpErrorCode } from '../errors/http.errors.js';
import { type Check, type Metadata, type Parse, PARSE_BY, toCheck, toCondition } from './property-checks.js';
import { UnsupportedDtoError } from './unsupported-dto.error.js';

/** A class whose properties have decorators of class-validator. */
export type DtoClass<Dto extends object = object> = new () => Dto;

interface Property {
  readonly name: string;
  /** All of them must hold, or the property is not checked (`ValidateIf`, `IsOptional`). */
  readonly conditions: readonly Check[];
  readonly checks: readonly Check[];
  readonly parse: Parse | undefined;
}

/**
 * What a DTO class declares, looked up once. class-validator collects and sorts it anew for every object, which costs
 * several times what the checks themselves do; so it is asked only for the words of a refusal.
 *
 * What would not be done here as class-validator does it is refused when the class is compiled, never passed over.
 */
export class CompiledDto<Dto extends object = object> {
  /** Names of the declared properties. */
  readonly names: readonly string[];
  readonly body: ReturnType<typeof bodyOptionsOf>;
  private readonly properties: readonly Property[];

  /** @throws UnsupportedDtoError */
  constructor(private readonly dto: DtoClass<Dto>) {
    const declared = declarationsOf(dto);
    if (declared.length === 0) throw new UnsupportedDtoError(dto.name, undefined, 'declares no checks');
    this.names = [...new Set(declared.map(({ propertyName }) => propertyName))];
    this.body = bodyOptionsOf(dto);
    this.properties = this.names.map((name) =>
      compile(
        dto.name,
        name,
        declared.filter(({ propertyName }) => propertyName === name),
      ),
    );
  }

  /**
   * An instance with the declared members of `input`, checked and converted. Other members are never looked at, so
   * nothing can be assigned that was not meant to be.
   *
   * @param input without a prototype, so that it has no members but those that were sent
   * @throws ApiError with the `context.error` of the check that fails, else `fallback`; its message has the words of all
   */
  parse(input: Readonly<Record<string, unknown>>, fallback: HttpErrorCode): Dto {
    const sent = Object.create(this.dto.prototype as object) as Record<string, unknown>;
    for (const name of this.names) if (input[name] !== undefined) sent[name] = input[name];
    const instance = new this.dto() as Record<string, unknown>;
    for (const { name, conditions, checks, parse } of this.properties) {
      let value = sent[name];
      if (conditions.every((holds) => holds(sent, value))) {
        if (!checks.every((holds) => holds(sent, value))) throw this.refusal(sent, fallback);
        if (parse !== undefined && (value = parse(value)) === undefined) throw this.refusal(sent, fallback);
      }
      // What was left out keeps the default that the class gives it.
      if (value !== undefined) instance[name] = value;
    }
    return instance as Dto;
  }

  private refusal(sent: object, fallback: HttpErrorCode): Error {
    const errors = validateSync(sent, { validationError: { target: false, value: false } });
    // The two must agree, or a refusal would have no words.
    if (errors.length === 0)
      return new Error(`The checks of ${this.dto.name} are not those of class-validator.`);
    const message = `${errors.flatMap(({ constraints = {} }) => Object.values(constraints)).join('; ')}.`;
    return new ApiError(definitionOf(errors) ?? fallback, { message });
  }
}

const compiled = new Map<DtoClass, CompiledDto>();

/** A DTO class, compiled when it is asked for the first time. @throws UnsupportedDtoError */
export function compiledDtoOf(dto: DtoClass): CompiledDto {
  let known = compiled.get(dto);
  if (known === undefined) compiled.set(dto, (known = new CompiledDto(dto)));
  return known;
}

/** Whether a class has decorators of class-validator. */
export function isDtoClass(type: unknown): type is DtoClass {
  return typeof type === 'function' && type.prototype !== undefined && declarationsOf(type).length > 0;
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- as class-validator has it
function declarationsOf(dto: Function): Metadata[] {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
}

function compile(dto: string, name: string, declared: readonly Metadata[]): Property {
  const conditions = declared.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const [parsing, ...others] = declared.filter(({ name: check }) => check === PARSE_BY);
  if (others.length > 0) throw new UnsupportedDtoError(dto, name, 'is parsed more than once');
  const checks = declared.filter((each) => each !== parsing && !conditions.includes(each));
  if (parsing === undefined && checks.length === 0) throw new UnsupportedDtoError(dto, name, 'has no check');
  return {
    name,
    conditions: conditions.map((each) => toCondition(dto, each)),
    checks: checks.flatMap((each) => toCheck(dto, each)),
    parse: parsing?.constraints[0] as Parse | undefined,
  };
}

function definitionOf(errors: readonly ValidationError[]): ErrorDefinition | undefined {
  for (const { contexts = {} } of errors) {
    for (const context of Object.values(contexts) as { error?: ErrorDefinition }[]) {
      if (context.error !== undefined) return context.error;
    }
  }
  return undefined;
}
