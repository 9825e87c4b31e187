import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { entityTag, matchesEntityTag, matchesStrongly } from './entity-tag.js';

describe('entityTag', () => {
  it('is a quoted string, the same for the same body only', () => {
    expect(entityTag('[]')).toMatch(/^"[\w-]{27}"$/);
    expect(entityTag('[]')).toBe(entityTag('[]'));
    expect(entityTag('[]')).not.toBe(entityTag('[ ]'));
  });
});

const tags = (count: number): string => Array.from({ length: count }, (_, n) => `"${n}"`).join(', ');

describe('matchesEntityTag', () => {
  it.each([
    '"a"',
    'W/"a"',
    '*',
    '"b", "a"',
    ' W/"b" ,W/"a" ',
    '"b","a","c"',
    ',, "a" ,,',
    '"b,", "a"',
    '"*", "a"',
    `${tags(63)}, "a"`,
  ])('finds "a" in %s', (field) => {
    expect(matchesEntityTag(field, '"a"')).toBe(true);
  });

  it.each([
    undefined,
    '',
    ' ',
    ',',
    'a',
    '"A"',
    '"b"',
    '"aa"',
    'w/"a"',
    'W /"a"',
    '"b,*,c"',
    '"b,"a",c"',
    '"b", *',
    '*, "a"',
    '* ,',
    '**',
    '"a',
    '"b", "a',
    '"b" "a"',
    '"b""a"',
    '"a" b',
    '"a", b',
    `${tags(64)}, "a"`,
    `"a", ${tags(64)}`,
  ])('does not find "a" in %s', (field) => {
    expect(matchesEntityTag(field, '"a"')).toBe(false);
  });

  it.each(['a,*,b', ',', '*'])('takes what stands between quotes as one tag: %s', (opaque) => {
    expect(matchesEntityTag(`"${opaque}"`, '"x"')).toBe(false);
    expect(matchesEntityTag(`"x", "${opaque}"`, `"${opaque}"`)).toBe(true);
  });
});

describe('matchesStrongly', () => {
  it.each([
    '"a"',
    '*',
    '"b", "a"',
    ' "b" ,"a" ',
    ',, "a" ,,',
    'W/"a", "a"',
    '"b,", "a"',
    '"*", "a"',
    `${tags(63)}, "a"`,
  ])('finds "a" in %s', (field) => {
    expect(matchesStrongly(field, '"a"')).toBe(true);
  });

  it.each(['W/"a"', '"b", W/"a"', '"A"', '"aa"', '"a,"', '"W/"', '"b,*,c"', tags(64), '"\u00e4", "\u00ff"'])(
    'does not find "a" in %s',
    (field) => {
      expect(matchesStrongly(field, '"a"')).toBe(false);
    },
  );

  it.each([
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
      '"a", *',
    ],
    ...[
      '"b" "a"',
      '"b""a"',
      '"a" b',
      '"a";',
      '"a b"',
      '"a\tb"',
      '"a\u0000"',
      '"a\u007f"',
      '"\u0100"',
      tags(65),
    ],
  ])('takes %j for no list of entity tags', (field) => {
    expect(matchesStrongly(field, '"a"')).toBeUndefined();
  });

  it('is true of exactly those lists that name the tag, however they are written', () => {
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
        expect(matchesStrongly(field, `"${wanted}"`)).toBe(named);
        expect(matchesEntityTag(field, `"${wanted}"`)).toBe(weakly);
      }),
    );
  });

  it('takes one pass, whatever 16 KiB hold', () => {
    const size = 16 * 1024;
    const hostile = [
      ...['"', ',', ' ', '\t', 'W', 'W/', '"a" ', '"a",', ' ,', '""', 'W/"', '"a"\t\t', '*', '\u00ff'],
      ...[`"${'a'.repeat(size - 2)}"`, `${' '.repeat(size)}"`, `"a"${' '.repeat(size)}x`],
    ].map((unit) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size));
    const since = performance.now();
    for (let round = 0; round < 20; round++) for (const field of hostile) matchesStrongly(field, '"x"');
    // 340 fields of 16 KiB: a search that began anew at each character would take minutes.
    expect(performance.now() - since).toBeLessThan(2_000);
  });
});
