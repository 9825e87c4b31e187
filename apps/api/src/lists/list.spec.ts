import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@petstore/http-server';
import {
  FreeText,
  int64,
  INT64_MAX,
  type Int64Id,
  setOf,
  stringEnum,
  TRUE_OR_FALSE,
} from '@petstore/pet-domain';
import fc from 'fast-check';
import { LinkBuilder } from '../operations/link-builder.js';
import { Cursor, MAX_CURSOR_LENGTH } from './cursor.js';
import { List, type QueryOf } from './list.js';
import { cursorOf, filter, LIMIT } from './query-parameters.js';

type Id = Int64Id<'Id'>;
const Id = int64<Id>();
const DOC = { description: 'A filter.' };
const sizes = stringEnum('small', 'medium', 'large');

/** One filter of each kind. */
const PARAMETERS = {
  limit: LIMIT,
  kind: filter(stringEnum('dog', 'cat'), DOC),
  cursor: cursorOf<Id>(),
  owner: filter(Id, DOC),
  sizes: filter(setOf(sizes, { most: 3, description: 'one or more sizes' }), DOC),
  name: filter(FreeText, DOC),
  tame: filter(TRUE_OR_FALSE, DOC),
};
type Query = QueryOf<typeof PARAMETERS>;
const THINGS = new List({ path: '/things', what: 'things', parameters: PARAMETERS });
const OTHERS = new List({
  path: '/shops/{shopId}/things',
  what: 'things',
  of: 'shop',
  parameters: PARAMETERS,
});
const links = new LinkBuilder('/v1');
/** The cursor of the page behind an item. */
const cursorAt = (last: Id, query: Query): Cursor<Id> =>
  THINGS.open(query).respond({ json: '[]', last, more: true }, links).next as Cursor<Id>;

const id = fc
  .oneof(
    fc.bigInt({ min: 1n, max: BigInt(INT64_MAX) }),
    fc.constantFrom(1n, 2n ** 53n, 2n ** 53n + 1n, BigInt(INT64_MAX)),
  )
  .map((value) => String(value) as Id);
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((sent): sent is FreeText => PARAMETERS.name.value.parse(sent) !== undefined);
const queries = fc.record(
  {
    kind: fc.constantFrom<'dog' | 'cat'>('dog', 'cat'),
    owner: id,
    sizes: fc.shuffledSubarray([...sizes.ALL], { minLength: 1 }),
    name: text,
    tame: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** The query that stands in the link to the next page behind an item, and that link. */
function next(query: Query, last: Id): readonly [parameters: URLSearchParams, link: string] {
  const { link = '' } = THINGS.open(query).respond({ json: '[]', last, more: true }, links);
  const [, target = ''] = /^<([^>]*)>; rel="next"/.exec(link) ?? [];
  return [new URL(target, 'http://x').searchParams, target];
}
/** Parsed as a request's query is. */
const parsed = (parameters: URLSearchParams): Query =>
  Object.fromEntries(
    [...parameters].map(([name, value]) => [
      name,
      PARAMETERS[name as keyof typeof PARAMETERS].value.parse(value),
    ]),
  );
const codeOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error instanceof ApiError && error.code;
  }
};

describe('a link', () => {
  it('leads behind the last item, with the filters as they were sent', () => {
    fc.assert(
      fc.property(queries, id, (query, last) => {
        const [parameters] = next(query, last);
        const cursor = parameters.get('cursor') ?? '';
        expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
        expect(cursor).toMatch(/^[0-9a-z]+$/);
        const again = parsed(parameters);
        expect(again).toEqual({ ...query, cursor });
        expect(THINGS.open(again).page).toEqual({ ...query, limit: 20, before: last });
      }),
    );
  });

  it.each<[Query, string]>([
    [{ name: 'Rex & <Co> +1, "ä"' as FreeText }, 'name=Rex%20%26%20%3CCo%3E%20%2B1,%20%22%C3%A4%22'],
    [{ sizes: ['large', 'small'] }, 'sizes=large,small'],
    [{ tame: false, owner: '7' as Id, limit: 5 }, 'limit=5&owner=7&tame=false'],
    [{ limit: 20 }, ''],
  ])('of %j has %s', (query, expected) => {
    expect(
      next(query, '1' as Id)[1]
        .replace(/cursor=\w+&?/, '')
        .replace(/[?&]$/, ''),
    ).toBe(expected === '' ? '/v1/things' : `/v1/things?${expected}`);
  });
});

describe('a cursor', () => {
  it('belongs to all filters as they were parsed, however they are spelt', () => {
    fc.assert(
      fc.property(queries, queries, id, (query, other, last) => {
        const cursor = cursorAt(last, query);
        const inAnotherSpelling = {
          ...query,
          ...(query.sizes && { sizes: query.sizes.toReversed() }),
          ...(query.name && { name: ` ${query.name.toLowerCase()}\u00A0` as FreeText }),
        };
        expect(THINGS.open({ ...inAnotherSpelling, cursor, limit: 1 }).page.before).toBe(last);
        const areSame = cursorAt(last, other) === cursor;
        expect(codeOf(() => THINGS.open({ ...other, cursor }).page.before)).toBe(
          areSame ? last : 'invalid_cursor',
        );
        for (const [name, value] of Object.entries(query)) {
          const without = { ...query, [name]: undefined };
          expect([name, value, codeOf(() => THINGS.open({ ...without, cursor }))]).toEqual([
            name,
            value,
            'invalid_cursor',
          ]);
        }
      }),
    );
  });

  it('is none of another list, nor of the same one of another resource', () => {
    fc.assert(
      fc.property(queries, id, (query, last) => {
        const cursor = cursorAt(last, query);
        expect(codeOf(() => OTHERS.open({ ...query, cursor }, { shopId: '1' }))).toBe('invalid_cursor');
        const page = { json: '[]', last, more: true };
        const ofShop = OTHERS.open(query, { shopId: '1' }).respond(page, links).next as Cursor<Id>;
        expect(OTHERS.open({ ...query, cursor: ofShop }, { shopId: '1' }).page.before).toBe(last);
        expect(codeOf(() => OTHERS.open({ ...query, cursor: ofShop }, { shopId: '2' }))).toBe(
          'invalid_cursor',
        );
      }),
    );
  });

  it('does not take one filter for another', () => {
    const cursor = cursorAt('1' as Id, { name: 'a&tame=true' as FreeText });
    expect(codeOf(() => THINGS.open({ name: 'a' as FreeText, tame: true, cursor }))).toBe('invalid_cursor');
  });

  it('with a changed, lacking or additional character is refused', () => {
    fc.assert(
      fc.property(
        queries,
        id,
        fc.nat(),
        fc.constantFrom(...Array.from('01az-_ %A'), 'cut', 'doubled'),
        (query, last, place, how) => {
          const cursor = cursorAt(last, query);
          const at = place % cursor.length;
          const old = cursor.charAt(at);
          const put = how === 'cut' ? '' : how === 'doubled' ? old + old : how;
          fc.pre(put !== old);
          const changed = (cursor.slice(0, at) + put + cursor.slice(at + 1)) as Cursor<Id>;
          expect(codeOf(() => THINGS.open({ ...query, cursor: changed }))).toBe('invalid_cursor');
        },
      ),
      { numRuns: 500 },
    );
  });
});

it('has at most 3,200 bytes of texts together, percent-encoded', () => {
  const open = (name: string) => codeOf(() => THINGS.open({ name: name as FreeText }).page.name);
  expect(open('é'.repeat(533))).toBe('é'.repeat(533));
  expect(open('é'.repeat(534))).toBe('invalid_parameter');
});
