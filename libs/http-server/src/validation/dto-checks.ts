import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

type DtoClass<Dto extends object> = new () => Dto;

/** One check of a property. */
type Check = (dto: object, value: unknown) => boolean;

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
 */
export class DtoChecks<Dto extends object> {
  private readonly properties: readonly PropertyChecks[];
  /** Names of the declared properties. */
  readonly names: readonly string[];

  constructor(dto: DtoClass<Dto>) {
    const declared = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    this.names = [...new Set(declared.map(({ propertyName }) => propertyName))];
    this.properties = this.names.map((name) => {
      const own = declared.filter(({ propertyName }) => propertyName === name);
      const [conditions, checks] = [own.filter(isCondition), own.filter((check) => !isCondition(check))];
      return { name, conditions: conditions.map(conditionOf), checks: checks.flatMap(checksOf) };
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

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function isCondition({ type }: Metadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION;
}

function conditionOf({ constraints }: Metadata): Check {
  return constraints[0] as Check;
}

/** What a decorator such as `IsIn` or `ValidateBy` stands for. */
function checksOf({ constraintCls, constraints, propertyName, target }: Metadata): Check[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => (object, value) => {
      const given: ValidationArguments = {
        value,
        object,
        constraints,
        property: propertyName,
        targetName: typeof target === 'string' ? target : target.name,
      };
      return instance.validate(value, given) === true;
    });
}
