import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Fields, fieldsOf, jsonTextOf, optional } from './fields.js';
import { FreeText } from './free-text.js';
import { INSTANT } from './instant.js';
import { anyName } from './testing/any-pet.js';
import { int64, listOf, stringEnum } from './values.js';

interface Sample {
  readonly digits: string;
  readonly text?: FreeText | undefined;
  readonly word?: string | undefined;
  readonly words: readonly string[] | null;
  readonly instant: Date;
}

const FIELDS: Fields<Sample> = {
  digits: int64<string>(0),
  text: optional(FreeText),
  word: optional(stringEnum<string>('sold', 'pet.created')),
  words: optional(listOf(FreeText, { most: 9, description: 'words' })),
  instant: INSTANT,
};
const jsonText = jsonTextOf<Sample>(FIELDS);

const sample: fc.Arbitrary<Sample> = fc.record({
  digits: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  text: fc.option(anyName, { nil: undefined }),
  word: fc.option(fc.constantFrom('sold', 'pet.created'), { nil: undefined }),
  words: fc.option(fc.array(anyName)),
  instant: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
});

describe('the JSON text of declared fields', () => {
  it('is that of the members that a value has, in the order of their declaration', () => {
    fc.assert(
      fc.property(sample, (value) => {
        const members = fieldsOf(FIELDS).flatMap(({ member, kind }) => {
          const written = value[member as keyof Sample];
          if (written === undefined || written === null) return [];
          const isRaw = kind === 'int64';
          return `"${member}":${isRaw ? (written as string) : JSON.stringify(written)}`;
        });
        expect(jsonText(value)).toBe(`{${members.join(',')}}`);
      }),
    );
    expect(jsonText({})).toBe('{}');
  });

  it('never writes a member that is not declared', () => {
    const hostile = JSON.parse('{"word":"sold","owner":"x","__proto__":{"digits":"1"}}') as Partial<Sample>;
    expect(jsonText(hostile)).toBe('{"word":"sold"}');
  });
});
