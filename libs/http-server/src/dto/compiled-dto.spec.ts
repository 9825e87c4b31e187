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
import { ApiError } from '../errors/api-error.js';
import { defineErrors } from '../errors/define-errors.js';
import { CompiledDto } from './compiled-dto.js';
import { ParseBy } from './property-checks.js';
import { UnsupportedDtoError } from './unsupported-dto.error.js';

/** A class whose property `value` is declared by these decorators. */
function dtoWith(...decorators: PropertyDecorator[]): new () => { value: unknown } {
  class Dto {
    value: unknown;
  }
  for (const decorate of decorators) decorate(Dto.prototype, 'value');
  return Dto;
}

function isValid(dto: new () => object, input: Record<string, unknown>): boolean {
  try {
    new CompiledDto(dto).parse(input, 'validation_failed');
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
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

const textOf = (sent: unknown): string | undefined => (typeof sent === 'string' ? sent : undefined);

const anything = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'a', 'b', 1, {}, new Set(['a']), new Map([[1, 'c']])),
  fc.constantFrom<unknown>([], ['a'], ['a', 'c'], ['a', ['b']], ['a', 'b', 'a']),
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
    ['a property that is parsed twice', [ParseBy(String), ParseBy(Number)]],
  ])('is an error at the start: %s', (_what, decorators) => {
    const dto = dtoWith(...decorators);
    expect(() => new CompiledDto(dto)).toThrow(UnsupportedDtoError);
  });

  it('is an error that says what and where it is', () => {
    class Empty {
      value: unknown;
    }
    expect(() => new CompiledDto(Empty)).toThrow('Empty declares no checks.');
    class Parent {
      @ValidateNested()
      child = new Child();
    }
    expect(() => new CompiledDto(Parent)).toThrow('Parent.child has a check of the type nestedValidation');
  });

  it('is an error when a check gives neither true nor false', () => {
    const promised = ValidateBy({
      name: 'late',
      validator: { validate: () => Promise.resolve(false) },
    });
    const dto = dtoWith(promised);
    expect(() => new CompiledDto(dto).parse({}, 'validation_failed')).toThrow(UnsupportedDtoError);
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
    ['a property that is parsed', [ParseBy((sent) => (typeof sent === 'string' ? sent.length : undefined))]],
    ['a parsed one that may be left out', [ParseBy(textOf, { isOptional: true }), IsIn(['a', 'b'])]],
    ['a check for each', [IsIn(['a', 'b'], { each: true })]],
    ['a check of its own for each', [ValidateBy(isA, { each: true })]],
    ['a check under a condition', [IsString({ validateIf: (_dto, value) => value !== 1 })]],
    [
      'a check for each under a condition',
      [ValidateBy(isA, { each: true, validateIf: (_dto, value) => Array.isArray(value) })],
    ],
  ])('is valid exactly when class-validator says so: %s', (_what, decorators) => {
    const dto = dtoWith(...decorators);
    fc.assert(
      fc.property(anything, (value) => {
        const instance = Object.assign(new dto(), { value });
        expect(isValid(dto, { value })).toBe(validateSync(instance).length === 0);
      }),
      { numRuns: 150 },
    );
  });

  it('inherits checks', () => {
    class Grown extends Child {
      @IsInt()
      age: unknown;
    }
    expect(new CompiledDto(Grown).names).toEqual(['age', 'name']);
    expect(isValid(Grown, { age: 1, name: 2 })).toBe(false);
  });
});

const ERRORS = defineErrors({ bad_page: { status: 400, message: 'A bad page.', when: 'The page is bad.' } });

class Page {
  @ParseBy((sent) => (/^\d+$/.test(String(sent)) ? Number(sent) : undefined), {
    isOptional: true,
    message: 'size must be digits',
    context: { error: ERRORS.bad_page },
  })
  size = 20;

  @IsString({ message: '$property of $target must be a text' })
  name!: string;
}

/** Says something else the second time, as no check should. */
class Fickle {
  @ValidateBy({ name: 'fickle', validator: { validate: () => (asked = !asked) } })
  value: unknown;
}
let asked = true;

describe('an instance', () => {
  const pages = new CompiledDto(Page);

  it('has what is declared, converted, with defaults, and nothing else', () => {
    const page = pages.parse({ size: '5', name: 'Rex', other: 1 }, 'validation_failed');
    expect(page).toBeInstanceOf(Page);
    expect(Object.entries(page)).toEqual([
      ['size', 5],
      ['name', 'Rex'],
    ]);
    expect(pages.parse({ name: 'Rex' }, 'validation_failed')).toMatchObject({ size: 20, name: 'Rex' });
  });

  it.each([
    [{ size: 'x', name: 'Rex' }, 'bad_page', 'size must be digits.'],
    [{ name: 1 }, 'invalid_parameter', 'name of Page must be a text.'],
    [{ size: 'x', name: 1 }, 'bad_page', 'size must be digits; name of Page must be a text.'],
  ])('is refused with the words and the error of its checks: %j', (input, code, message) => {
    expect(() => pages.parse(input, 'invalid_parameter')).toThrow(expect.objectContaining({ code, message }));
  });

  it('is an error, and no refusal without words, when class-validator disagrees', () => {
    expect(() => new CompiledDto(Fickle).parse({}, 'validation_failed')).toThrow(
      'The checks of Fickle are not those of class-validator.',
    );
  });
});
