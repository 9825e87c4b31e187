import { describe, expect, it } from '@jest/globals';
import { IsIn, IsString, ValidateBy, type ValidationArguments } from 'class-validator';
import { validated } from './validation.js';

class Colours {
  @IsIn(['red', 'green'], {
    each: true,
    message: ({ property }: ValidationArguments) => `${property} are wrong`,
  })
  colours: unknown;
}

class Named {
  @IsString({ message: '$property of $target must be a text' })
  name: unknown;
}

/** Says something else the second time, as no check should. */
class Fickle {
  @ValidateBy({ name: 'fickle', validator: { validate: () => (asked = !asked) } })
  value: unknown;
}
let asked = true;

describe('validated', () => {
  it('takes over what is declared, and nothing else', () => {
    expect(validated(Named, { name: 'Rex', other: 1 }, 'validation_failed')).toEqual({ name: 'Rex' });
    expect(validated(Colours, { colours: ['red', 'green'] }, 'validation_failed')).toEqual({
      colours: ['red', 'green'],
    });
  });

  it.each<[string, new () => object, object, string]>([
    ['a function', Colours, { colours: ['red', 'blue'] }, 'colours are wrong.'],
    ['a text with arguments', Named, { name: 1 }, 'name of Named must be a text.'],
  ])('refuses with the words of %s', (_what, dto, input, message) => {
    expect(() => validated(dto, input as Record<string, unknown>, 'validation_failed')).toThrow(message);
  });

  it('is an error, and no refusal without words, when class-validator disagrees', () => {
    expect(() => validated(Fickle, {}, 'validation_failed')).toThrow(
      'The checks of Fickle are not those of class-validator.',
    );
  });
});
