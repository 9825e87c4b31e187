import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { type Check, type Metadata, toCheck, toCondition } from './property-checks.js';
import { UnsupportedDtoError } from './unsupported-dto.error.js';

type DtoClass<Dto extends object> = new () => Dto;

interface PropertyChecks {
  readonly name: string;
  /** All of them must hold, or the property is not checked (ValidateIf). */
  readonly conditions: readonly Check[];
  readonly checks: readonly Check[];
}

/**
 * The checks that a DTO class declares, looked up once. class-validator collects and sorts them anew for
 * every object, which costs several times what the checks themselves do; so it is asked only for the words
 * of a refusal, when these checks have found that there is one.
 *
 * What these checks do not do as class-validator would is refused when they are made, never passed over.
 */
export class DtoChecks<Dto extends object> {
  private readonly properties: readonly PropertyChecks[];
  /** Names of the declared properties. */
  readonly names: readonly string[];

  /** @throws UnsupportedDtoError */
  constructor(dto: DtoClass<Dto>) {
    const declared = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    if (declared.length === 0) throw new UnsupportedDtoError(dto.name, undefined, 'declares no checks');
    this.names = [...new Set(declared.map(({ propertyName }) => propertyName))];
    this.properties = this.names.map((name) => {
      const own = declared.filter(({ propertyName }) => propertyName === name);
      const checks = own.filter((each) => !isCondition(each)).flatMap((each) => toCheck(dto.name, each));
      if (checks.length === 0) throw new UnsupportedDtoError(dto.name, name, 'has no check');
      return { name, conditions: own.filter(isCondition).map((each) => toCondition(dto.name, each)), checks };
    });
  }

  /** Whether every check of every property holds. */
  hold(dto: Dto): boolean {
    return this.properties.every(({ name, conditions, checks }) => {
      const value: unknown = Reflect.get(dto, name);
      return (
        !conditions.every((condition) => condition(dto, value)) || checks.every((check) => check(dto, value))
      );
    });
  }
}

function isCondition({ type }: Metadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION;
}
