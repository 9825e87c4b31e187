import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../errors/api-error.js';
import { entityTag, isNotModified } from './preconditions.js';

/** Whether an If-None-Match field names this tag: then a read is told 304. */
const namesWeakly = (field: string | undefined, tag: string): boolean =>
  isNotModified({ method: 'GET', headers: { 'if-none-match': field } }, tag);

/** Whether an If-Match field names this tag; `undefined` for a field that is refused as no list of entity tags. */
function namesStrongly(field: string, tag: string): boolean | undefined {
  try {
    isNotModified({ method: 'GET', headers: { 'if-match': field } }, tag);
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code === 'precondition_failed' ? false : undefined;
  }
}

const tags = (count: number): string => Array.from({ length: count }, (_, n) => `"${n}"`).join(', ');

it('an entity tag is a quoted string, the same for the same body only', () => {
  expect(entityTag('[]')).toMatch(/^"[\w-]{27}"$/);
  expect(entityTag('[]')).toBe(entityTag('[]'));
  expect(entityTag('[]')).not.toBe(entityTag('[ ]'));
});

/** A field; whether it names "a" weakly; whether it does strongly, `undefined` for no list of entity tags. */
const FIELDS: readonly (readonly [string, boolean, boolean | undefined])[] = [
  ['"a"', true, true],
  ['W/"a"', true, false],
  ['*', true, true],
  ['"b", "a"', true, true],
  [' "b" ,"a" ', true, true],
  [' W/"b" ,W/"a" ', true, false],
  ['"b","a","c"', true, true],
  ['"b", W/"a"', true, false],
  ['W/"a", "a"', true, true],
  [',, "a" ,,', true, true],
  ['"b,", "a"', true, true],
  ['"*", "a"', true, true],
  [`${tags(63)}, "a"`, true, true],
  [tags(64), false, false],
  ['"b"', false, false],
  ['"A"', false, false],
  ['"aa"', false, false],
  ['"a,"', false, false],
  ['"W/"', false, false],
  ['"b,*,c"', false, false],
  ['"\u00e4", "\u00ff"', false, false],
  ...[
    ...[
      '',
      ' ',
      ',',
      'a',
      '"a',
      'a"',
      "'a'",
      'w/"a"',
      'W /"a"',
      'W/',
      'W',
      'W/a',
      '**',
      '* ,',
      '*, "a"',
      '"b", *',
    ],
    ...['"b,"a",c"', '"b", "a', '"b" "a"', '"b""a"', '"a" b', '"a", b', '"a", *', '"a";', '"a b"', '"a\tb"'],
    ...['"a\u0000"', '"a\u007f"', '"\u0100"', tags(65), `${tags(64)}, "a"`, `"a", ${tags(64)}`],
  ].map((field) => [field, false, undefined] as const),
];

describe('a field of entity tags', () => {
  it.each(FIELDS)('%j names "a": %s, strongly: %s', (field, weakly, strongly) => {
    expect(namesWeakly(field, '"a"')).toBe(weakly);
    expect(namesStrongly(field, '"a"')).toBe(strongly);
  });

  it('names nothing where there is none', () => {
    expect(namesWeakly(undefined, '"a"')).toBe(false);
  });

  it('names exactly the tags that it lists, however they are written', () => {
    const opaque = fc.string({ unit: fc.constantFrom('a', 'b', ',', '*', '/', 'W', '\u00e4'), maxLength: 3 });
    const gap = fc.constantFrom('', ' ', '\t', ', ', ' ,,');
    const element = fc.record({ opaque, isWeak: fc.boolean(), before: gap, after: gap });
    fc.assert(
      fc.property(opaque, fc.array(element, { minLength: 1, maxLength: 10 }), (wanted, elements) => {
        const field = elements
          .map(({ before, isWeak, opaque: text, after }) => `${before}${isWeak ? 'W/' : ''}"${text}"${after}`)
          .join(',');
        const named = elements.some(({ isWeak, opaque: text }) => !isWeak && text === wanted);
        const weakly = elements.some(({ opaque: text }) => text === wanted);
        expect(namesStrongly(field, `"${wanted}"`)).toBe(named);
        expect(namesWeakly(field, `"${wanted}"`)).toBe(weakly);
      }),
    );
  });

  it('is read in one pass, whatever 16 KiB hold', () => {
    const size = 16 * 1024;
    const hostile = [
      ...['"', ',', ' ', '\t', 'W', 'W/', '"a" ', '"a",', ' ,', '""', 'W/"', '"a"\t\t', '*', '\u00ff'],
      ...[`"${'a'.repeat(size - 2)}"`, `${' '.repeat(size)}"`, `"a"${' '.repeat(size)}x`],
    ].map((unit) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size));
    // A search that began anew at each character would take minutes, and the test would end by its time limit.
    for (let round = 0; round < 20; round++)
      for (const field of hostile) expect(namesStrongly(field, '"x"')).not.toBe(true);
  });
});
