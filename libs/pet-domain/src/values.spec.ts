import { describe, expect, it } from '@jest/globals';
import { anyCharacter } from '@petstore/arbitraries';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { FreeText, freeTexts } from './free-text.js';
import { HttpsUrl } from './https-url.js';
import { PageLimit } from './page.js';
import { PetId } from './pet.js';
import { PetIdList } from './pet-list.js';
import { PetProfile } from './pet-profile.js';
import { PetStatus } from './pet-status.js';
import { described, type ExactNumber, refined, type TextValue, type Value } from './value.js';
import { int64, INT64_MAX, listOf, number, objectOf, setOf, stringEnum, TRUE_OR_FALSE } from './values.js';

/** A number as an exact parser gives it. */
const exact = (source: string): ExactNumber => ({
  source,
  toDigits: () => (/^\d{1,19}$/.test(source) ? source : undefined),
});

const Size = stringEnum('small', 'medium', 'large');
const sizes = setOf(Size, { most: 3, description: 'one or more sizes', order: Size.ALL });
const lines = freeTexts({ most: 20, hasLines: true });
const few = listOf(FreeText, { most: 3, description: 'an array of 1 to 3 texts' });
const person = objectOf({ name: FreeText, tags: few, isOld: TRUE_OR_FALSE, size: Size }, ['name', 'size']);
const people = listOf(person, { most: 2, description: 'an array of 1 or 2 people' });
const calm = refined(people, ([first, second], path) =>
  first?.name === second?.name ? [`${path}[1].name`, 'must differ'] : undefined,
);

const TEXT_VALUES: Readonly<Record<string, TextValue<unknown>>> = {
  ...{ text: FreeText, lines, enumeration: PetStatus, url: HttpsUrl },
  ...{ flag: TRUE_OR_FALSE, id: PetId, count: int64(0), integer: PageLimit },
  ...{ 'list of ids': PetIdList, 'list of words': sizes },
};
const VALUES: Readonly<Record<string, Value<unknown>>> = {
  ...TEXT_VALUES,
  ...{ number: number({ least: 0, most: 168 }), list: few, object: person, 'list of objects': people },
  ...{ described: described(person, 'Somebody.', { name: 'Ann', size: 'small' }) },
  ...{ refined: calm },
  profile: objectOf(PetProfile.FIELDS),
};

/** Texts, most of which are nearly what some value allows. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789,,. -+eE\n\r\t')) }),
  fc.bigInt({ min: -1n, max: 2n ** 64n }).map(String),
  fc.array(fc.constantFrom('1', '42', INT64_MAX, ...Size.ALL, ''), { maxLength: 5 }).map(String),
  fc.constantFrom(...PetStatus.ALL, ...Size.ALL, 'true', 'false', 'TRUE', ' true', '٣', 'https://a.example'),
  fc.constantFrom(
    '9223372036854775808',
    '1\n',
    '01',
    '1.0',
    '1e1',
    '__proto__',
    'constructor',
    'x'.repeat(256),
  ),
);
const anyNumber = fc.oneof(fc.integer({ min: -2, max: 200 }), fc.double(), fc.maxSafeInteger());
const nearlyPerson = {
  name: fc.constantFrom('Ann', 'Bob', ''),
  tags: fc.array(fc.constantFrom('a', 'b', 1), { maxLength: 3 }),
  isOld: fc.boolean(),
  size: fc.constantFrom(...Size.ALL, 'tiny'),
};
const anyJson = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null), anyNumber.map(String).map(exact)),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.record(nearlyPerson, { requiredKeys: [] }),
    fc.array(fc.record(nearlyPerson), { minLength: 1, maxLength: 2 }),
    fc.dictionary(
      fc.constantFrom('name', 'tags', 'isOld', 'size', 'toDigits', 'sex', 'photos', 'url'),
      tie('json'),
    ),
  ),
})).json;

/** As JSON without exact numbers. */
const plain = (json: unknown): unknown =>
  JSON.parse(
    JSON.stringify(json, (_, each: unknown) => {
      if (typeof each === 'bigint') return Number(each);
      return isExact(each) ? Number(each.source) : each;
    }),
  );
const isExact = (json: unknown): json is ExactNumber =>
  typeof (json as Partial<ExactNumber> | null)?.toDigits === 'function';

/** Everything that is told of a value. */
function problemsOf(value: Value<unknown>, json: unknown): { parsed: unknown; problems: string[] } {
  const problems: string[] = [];
  const refuse = (path: string, problem: string): void => void problems.push(`${path} ${problem}`);
  return { parsed: value.parseJson(json, refuse, 'it'), problems };
}

describe.each(Object.entries(VALUES))('a value: %s', (_name, value) => {
  const isDocumented = new Ajv({ strict: false, validateFormats: false }).compile(
    plain(value.schema) as object,
  );

  // One alone is a list of one.
  const isAlone = (json: unknown): boolean => value.kind === 'list' && !Array.isArray(json);

  it('is parsed of JSON as its schema says, or refused with a problem that has a path into it', () => {
    fc.assert(
      fc.property(anyJson, (json) => {
        const { parsed, problems } = problemsOf(value, json);
        expect(problems.length === 0).toBe(parsed !== undefined);
        for (const problem of problems)
          expect(problem).toMatch(
            /^it(?:\.[a-zA-Z]+|\[\d+\])* (?:must (?:be|not|differ)|is missing$|needs )/,
          );
        if (parsed !== undefined) expect(isDocumented(plain(isAlone(json) ? [json] : json))).toBe(true);
      }),
    );
    expect(value.parseJson(null)).toBeUndefined();
  });
});

describe.each(Object.entries(TEXT_VALUES))('a text of a query: %s', (_name, value) => {
  const jsonOf = (text: string): unknown => {
    if (value.schema.type === 'string') return text;
    if (value.kind === 'flag') return text === 'true';
    return value.kind === 'list'
      ? text.split(',').map((each) => (value.schema.items?.type === 'integer' ? exact(each) : each))
      : exact(text);
  };

  it('is the value that the same JSON is, and never another spelling of it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = value.parse(text);
        if (parsed === undefined) {
          if (value.schema.type === 'string') expect(value.parseJson(text)).toBeUndefined();
          return;
        }
        expect(value.parseJson(jsonOf(text))).toEqual(parsed);
        if (value.kind !== 'list') expect(`${parsed as string | number | boolean}`).toBe(text);
      }),
    );
  });
});

describe('whole numbers', () => {
  it.each([
    [PetId, 1n],
    [int64(0), 0n],
  ] as const)('are exact up to 2^63 - 1', (value, least) => {
    fc.assert(
      fc.property(fc.bigInt({ min: -2n, max: 2n ** 64n }), (each) => {
        const digits = each >= least && each < 2n ** 63n ? String(each) : undefined;
        expect(value.parse(String(each))).toBe(digits);
        expect(value.parseJson(exact(String(each)))).toBe(digits);
      }),
    );
    expect(value.parse(INT64_MAX)).toBe(INT64_MAX);
    expect(value.parse('9223372036854775808')).toBeUndefined();
  });

  it('are refused where a double may have rounded them', () => {
    expect(PetId.parseJson(2 ** 53 - 1)).toBe('9007199254740991');
    expect(PetId.parseJson(2 ** 53)).toBeUndefined();
  });

  it('have bounds, which are part of them', () => {
    const read = (text: string): unknown => PageLimit.parse(text);
    expect(['0', '1', '100', '101', '1e2'].map(read)).toEqual([undefined, 1, 100, undefined, undefined]);
  });
});

describe('several values in a text', () => {
  it('are given back in the order in which they first appear, or in that of the declaration', () => {
    expect(PetIdList.parse('7,7,42,7')).toEqual(['7', '42']);
    expect(sizes.parse('large,small')).toEqual(['small', 'large']);
    expect(sizes.parseJson('large')).toEqual(['large']);
  });

  it.each(['', ',', 'small,', 'small,small', 'small,,large', 'small, large', 'tiny'])(
    'are not %j',
    (text) => {
      expect(sizes.parse(text)).toBeUndefined();
      expect(sizes.parseJson(text.split(','))).toBeUndefined();
    },
  );

  it('are at most so many different ones, in a text of at most so many characters', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => String(BigInt(INT64_MAX) - BigInt(n)));
    expect(PetIdList.parse([...hundred, ...hundred].join(','))).toEqual(hundred);
    expect(PetIdList.parse([...hundred, '1'].join(','))).toBeUndefined();
    const most = '1,'.repeat(2_047);
    expect(PetIdList.parse(`${most}12`)).toEqual(['1', '12']);
    expect(PetIdList.parse(`${most}123`)).toBeUndefined();
  });
});

describe('the problems of an object', () => {
  const wrong = { size: 'tiny', name: '', tags: ['a', 1, ''], isOld: false };

  it('are told in declared order, all of them', () => {
    expect(problemsOf(people, [wrong, { name: 'Ann' }]).problems).toEqual([
      expect.stringMatching(/^it\[0\]\.name must be a string of 1 to 255/),
      expect.stringMatching(/^it\[0\]\.tags\[1\] must be a string/),
      expect.stringMatching(/^it\[0\]\.tags\[2\] must be a string/),
      'it[0].size must be one of small, medium, large',
      'it[1].size is missing',
    ]);
  });

  it('or the first alone, if that ends it', () => {
    const refuse = (path: string): never => {
      throw new Error(path);
    };
    expect(() => people.parseJson([wrong], refuse)).toThrow(/^\[0\]\.name$/);
  });
});

it('an object has its own members only, in declared order', () => {
  const sent = JSON.parse('{"__proto__":{"isOld":true},"size":"small","x":1,"name":"Ann"}') as object;
  expect(JSON.stringify(person.parseJson(sent))).toBe('{"name":"Ann","size":"small"}');
  expect(person.parseJson(Object.create(sent))).toBeUndefined();
});
