import { describe, expect, it } from '@jest/globals';
import {
  Allow,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidatePromise,
  ValidatorConstraint,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { DtoChecks } from './dto-checks.js';
import { UnsupportedDtoError } from './unsupported-dto.error.js';
import { JsonBody, QueryParameters } from './validation.js';

/** A class whose property `value` is declared by these decorators. */
function dtoWith(...decorators: PropertyDecorator[]): new () => { value: unknown } {
  class Dto {
    value: unknown;
  }
  for (const decorate of decorators) decorate(Dto.prototype, 'value');
  return Dto;
}

class Child {
  @IsString()
  name: unknown;
}

class NoConstraint {
  validate(): boolean {
    return true;
  }
}

@ValidatorConstraint({ name: 'late', async: true })
class LateConstraint extends NoConstraint {}

const anything = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    'a',
    'b',
    1,
    [],
    ['a'],
    ['a', 'c'],
    ['a', ['b']],
    {},
    new Set(['a']),
    new Map([[1, 'c']]),
  ),
  fc.anything({ withSet: true, withMap: true }),
);

describe('a DTO with a declaration that its checks would not do as class-validator does', () => {
  it.each<[string, PropertyDecorator[]]>([
    ['a nested object', [ValidateNested()]],
    ['nested objects in an array', [ValidateNested({ each: true })]],
    ['a promise', [IsString(), ValidatePromise()]],
    ['a property that is taken as it is', [Allow()]],
    ['a property with a condition alone', [IsOptional()]],
    ['groups', [IsString({ groups: ['create'] })]],
    ['always', [IsString({ always: true })]],
    ['groups of a condition', [IsString(), IsOptional({ groups: ['create'] })]],
    ['a condition for each', [IsString(), ValidateIf(() => true, { each: true })]],
    ['a condition of a condition', [IsString(), ValidateIf(() => true, { validateIf: () => false })]],
    ['an asynchronous check', [Validate(LateConstraint)]],
    ['a class that is no constraint', [Validate(NoConstraint)]],
  ])('is an error at the start: %s', (_what, decorators) => {
    const dto = dtoWith(...decorators);
    expect(() => new DtoChecks(dto)).toThrow(UnsupportedDtoError);
    expect(() => JsonBody(dto)).toThrow(UnsupportedDtoError);
    expect(() => QueryParameters(dto)).toThrow(UnsupportedDtoError);
  });

  it('is an error without any', () => {
    class Empty {
      value: unknown;
    }
    expect(() => new DtoChecks(Empty)).toThrow('Empty declares no checks.');
  });

  it('never gets as far as a bad child', () => {
    class Parent {
      @ValidateNested()
      child = Object.assign(new Child(), { name: 1 });
    }
    expect(validateSync(new Parent())).toHaveLength(1);
    expect(() => new DtoChecks(Parent)).toThrow('Parent.child has a check of the type nestedValidation');
  });

  it('is an error when a check gives neither true nor false', () => {
    const promised = ValidateBy({
      name: 'late',
      validator: { validate: () => Promise.resolve(false) },
    });
    const dto = dtoWith(promised);
    expect(() => new DtoChecks(dto).hold(new dto())).toThrow(UnsupportedDtoError);
  });
});

describe('a DTO with what its checks understand', () => {
  const isA = { name: 'isA', validator: { validate: (value: unknown) => value === 'a' } };

  it.each<[string, PropertyDecorator[]]>([
    ['checks', [IsString(), IsIn(['a', 'b'])]],
    ['an optional property', [IsOptional(), IsString()]],
    ['two conditions', [ValidateIf((_dto, value) => value !== null), IsOptional(), IsInt()]],
    [
      'a condition with a response that is not boolean',
      [ValidateIf((_dto, value) => value as boolean), IsInt()],
    ],
    ['a defined property', [IsDefined()]],
    ['a check for each', [IsIn(['a', 'b'], { each: true })]],
    ['a check of its own for each', [ValidateBy(isA, { each: true })]],
    ['a check under a condition', [IsString({ validateIf: (_dto, value) => value !== 1 })]],
    [
      'a check for each under a condition',
      [ValidateBy(isA, { each: true, validateIf: (_dto, value) => Array.isArray(value) })],
    ],
  ])('is valid exactly when class-validator says so: %s', (_what, decorators) => {
    const dto = dtoWith(...decorators);
    const checks = new DtoChecks(dto);
    fc.assert(
      fc.property(anything, (value) => {
        const instance = Object.assign(new dto(), { value });
        expect(checks.hold(instance)).toBe(validateSync(instance).length === 0);
      }),
      { numRuns: 300 },
    );
  });

  it('takes a good array under each', () => {
    const dto = dtoWith(IsIn(['a', 'b'], { each: true }));
    expect(new DtoChecks(dto).hold(Object.assign(new dto(), { value: ['a', 'b', 'a'] }))).toBe(true);
    expect(new DtoChecks(dto).hold(Object.assign(new dto(), { value: ['a', 'c'] }))).toBe(false);
  });

  it('inherits checks', () => {
    class Grown extends Child {
      @IsInt()
      age: unknown;
    }
    expect(new DtoChecks(Grown).names).toEqual(['age', 'name']);
    expect(new DtoChecks(Grown).hold(Object.assign(new Grown(), { age: 1, name: 2 }))).toBe(false);
  });
});
