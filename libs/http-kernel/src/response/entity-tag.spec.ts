import { describe, expect, it } from '@jest/globals';
import { entityTag, matchesEntityTag } from './entity-tag.js';

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
