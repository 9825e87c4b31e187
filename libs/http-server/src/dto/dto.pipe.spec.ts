import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { ApiError } from '../errors/api-error.js';
import { defineErrors } from '../errors/http.errors.js';
import { CompiledDto } from './dto.pipe.js';
import { ParseBy } from './parse-by.decorator.js';

const textOf = (sent: unknown): string | undefined => (typeof sent === 'string' ? sent : undefined);
const orNull = (sent: unknown): unknown => (sent === null ? null : textOf(sent));

/** A class whose property `value` is declared by this decorator. */
function dtoWith(decorate: PropertyDecorator): new () => { value: unknown } {
  class Dto {
    value: unknown = 'default';
  }
  decorate(Dto.prototype, 'value');
  return Dto;
}

/** The value that the handler reads; the error when it is refused. */
function parsed(dto: new () => { value: unknown }, value: unknown): unknown {
  try {
    return new CompiledDto(dto).parse({ value }, 'validation_failed').value;
  } catch (error) {
    return error;
  }
}

const anything = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'a', 1, {}, [], ['a']),
  fc.anything({ withSet: true, withMap: true }),
);

it.each<[string, PropertyDecorator]>([
  ['a member', ParseBy(textOf)],
  ['one that may be left out', ParseBy(textOf, { isOptional: true })],
  ['one that may be null', ParseBy(orNull)],
  ['one that may be left out, or null', ParseBy(orNull, { isOptional: true })],
])('a value is valid exactly when class-validator says so: %s', (_what, decorate) => {
  const dto = dtoWith(decorate);
  fc.assert(
    fc.property(anything, (value) => {
      const isValid = validateSync(Object.assign(new dto(), { value })).length === 0;
      if (isValid) expect(parsed(dto, value)).toBe(value === undefined ? 'default' : value);
      else expect(parsed(dto, value)).toBeInstanceOf(ApiError);
    }),
    { numRuns: 150 },
  );
});

describe('a DTO class', () => {
  class Child {
    @ParseBy(textOf)
    name: unknown;
  }

  it('has the members of the class that it extends', () => {
    class Grown extends Child {
      @ParseBy((sent) => (typeof sent === 'number' ? sent : undefined))
      age: unknown;
    }
    const grown = new CompiledDto(Grown);
    expect(grown.names).toEqual(['name', 'age']);
    expect(() => grown.parse({ age: 1, name: 2 }, 'validation_failed')).toThrow(ApiError);
    expect(new CompiledDto(Child).names).toEqual(['name']);
  });

  it('is an error without members, or with one that is declared twice', () => {
    class Empty {
      value: unknown;
    }
    expect(() => new CompiledDto(Empty)).toThrow('Empty declares no members.');
    const twice = (dto: new () => object): void => {
      ParseBy(textOf)(dto.prototype as object, 'name');
    };
    expect(() => {
      twice(Child);
    }).toThrow('Child.name is parsed more than once.');
    expect(() => {
      twice(class Grown extends Child {});
    }).toThrow('Grown.name is parsed more than once.');
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

  @ParseBy(textOf, { message: '$property of $target must be a text' })
  name!: string;
}

/** Says something else the second time, as no rule should. */
class Fickle {
  @ParseBy(() => (asked = !asked) || undefined)
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

  it('has nothing of a prototype that was sent', () => {
    const input = Object.assign(Object.create(null) as Record<string, unknown>, { name: 'Rex' });
    Object.defineProperty(input, '__proto__', { value: { size: '7', admin: true }, enumerable: true });
    Object.defineProperty(input, 'other', {
      enumerable: true,
      get: () => {
        throw new Error('read');
      },
    });
    const page = pages.parse(input, 'validation_failed');
    expect(Object.getPrototypeOf(page)).toBe(Page.prototype);
    expect(page).toEqual({ size: 20, name: 'Rex' });
    expect(page).not.toHaveProperty('admin');
  });

  it.each([
    [{ size: 'x', name: 'Rex' }, 'bad_page', 'size must be digits.'],
    [{ name: 1 }, 'invalid_parameter', 'name of Page must be a text.'],
    // Of several wrong parameters the first, with its own error.
    [{ size: 'x', name: 1 }, 'bad_page', 'size must be digits.'],
  ])('is refused with the messages and the error of its rules: %j', (input, code, message) => {
    expect(() => pages.parse(input, 'invalid_parameter')).toThrow(expect.objectContaining({ code, message }));
  });

  it('is an error, and no refusal without a message, when class-validator disagrees', () => {
    expect(() => new CompiledDto(Fickle).parse({}, 'validation_failed')).toThrow(
      'The rules of Fickle are not those of class-validator.',
    );
  });
});
